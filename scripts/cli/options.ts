/** Options that several commands share. */
export const contentOption = { value: 'DIR', default: 'content', description: 'the content folder' } as const
export const outOption = { value: 'DIR', default: 'dist', description: 'the snapshot' } as const
