import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostOptions } from '../../../scripts/hosts/config/host.ts'
import type { Engine, Place, Prepared } from './engine.ts'

const folder = '/usr/lib/apache2/modules'

// As Debian enables them, the ones that the config asks for, and one that compresses everything it may.
const modules = [
  'mpm_event',
  'authz_core',
  'authz_host',
  'mime',
  'dir',
  'env',
  'setenvif',
  'alias',
  'negotiation',
  'autoindex',
  'filter',
  'deflate',
  'reqtimeout',
  'headers',
  'rewrite',
  'ssl',
]

const surroundings = (place: string): string => `ServerRoot ${place}
PidFile ${place}/httpd.pid
DefaultRuntimeDir ${place}
ErrorLog /dev/stderr
ServerName surroundings.example
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup\n' : ''}${modules.map((name) => `LoadModule ${name}_module ${folder}/mod_${name}.so`).join('\n')}
TypesConfig /etc/mime.types
AddDefaultCharset utf-8
AddEncoding x-gzip .gz
AddOutputFilterByType DEFLATE application/json text/html
Header always set Strict-Transport-Security "max-age=1"
Header set Strict-Transport-Security "max-age=2"
<Directory />
  Options FollowSymLinks Indexes MultiViews
  AllowOverride None
  Require all denied
</Directory>
`

const command = async (text: string, place: string): Promise<Prepared> => {
  const file = join(place, 'httpd.conf')
  await writeFile(file, text)
  const args = ['-f', file, '-E', '/dev/stderr']
  return { args: [...args, '-D', 'FOREGROUND'], check: [...args, '-t'] }
}

const engine = { debian: 'apache2', binary: '/usr/sbin/apache2' }

/** A whole Apache around a file of sites-enabled. */
export const apacheEngine: Engine = {
  ...engine,
  name: 'apache',
  prepare: (config, { folder }) => command(surroundings(folder) + config, folder),
}

/** A shared host's Apache: all that the customer can change is the .htaccess file, and of that only what it says it needs. */
export const htaccessEngine = ({ cert, key, basePath }: HostOptions): Engine => ({
  ...engine,
  name: 'htaccess',
  prepare: async (config, { folder, root, ports: [http, https] }: Place) => {
    await writeFile(join(root!, '.htaccess'), config)
    const own = `
DocumentRoot ${root!.slice(0, root!.length - basePath.length)}
<Directory ${root}>
  AllowOverride FileInfo Indexes
  Require all granted
</Directory>
Listen 127.0.0.1:${http}
Listen 127.0.0.1:${https}
<VirtualHost 127.0.0.1:${http}>
  ServerName localhost
</VirtualHost>
<VirtualHost 127.0.0.1:${https}>
  ServerName localhost
  SSLEngine on
  SSLCertificateFile ${cert}
  SSLCertificateKeyFile ${key}
</VirtualHost>
`
    return command(surroundings(folder) + own, folder)
  },
})
