/**
 * A client of the API in one file without dependencies, for browsers, Node 20 and later, and workers. Copy it.
 * docs/client.md says how it is used.
 */
const prefix = '/api/username/';
const usernames = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9-])?$/;
/** The API could not be asked, or its answer is none of its own. `status` is 0 where there was no answer at all. */
export class ApiError extends Error {
    name = 'ApiError';
    status;
    constructor(message, status, options) {
        super(message, options);
        this.status = status;
    }
}
/** `base` is what the paths of the API follow: `https://api.example.com`. Nothing is sent yet. */
export const createClient = (base, options = {}) => {
    const root = rootOf(base, options.scheme);
    const kept = new Map();
    const get = async (path, { signal }) => {
        const url = root + path;
        const known = kept.get(url);
        const response = await send(url, known?.tag, signal);
        if (response.status === 304 && known)
            return known.body;
        if (response.status === 404)
            return notFound;
        if (response.status !== 200)
            throw new ApiError(`${url} answers ${response.status}`, response.status);
        const body = await response.json().catch((cause) => {
            signal?.throwIfAborted();
            throw new ApiError(`${url} answers with something else than JSON`, 200, { cause });
        });
        const tag = response.headers.get('ETag');
        kept.delete(url);
        if (tag)
            kept.set(url, { tag, body });
        if (kept.size > keptMost)
            kept.delete(kept.keys().next().value);
        return body;
    };
    /** Reading changes nothing, so it is safe to try again. */
    const send = async (url, tag, signal) => {
        const ask = options.fetch ?? fetch;
        for (let left = options.retries ?? 2, wait = 500;; left--, wait *= 2) {
            const headers = tag ? { 'If-None-Match': tag } : {};
            const late = AbortSignal.timeout(options.timeout ?? 30_000);
            const request = { headers, signal: signal ? AbortSignal.any([signal, late]) : late };
            const response = await ask(url, request).catch((cause) => {
                signal?.throwIfAborted();
                if (left > 0)
                    return undefined;
                throw new ApiError(`${url} can't be reached`, 0, { cause });
            });
            if (response && (left <= 0 || !passing.includes(response.status)))
                return response;
            const after = response?.headers.get('Retry-After') ?? '';
            const asked = Number(after) * 1000 || Date.parse(after) - Date.now() || 0;
            if (response && asked > longestWait)
                return response;
            await response?.body?.cancel();
            await pause(Math.max(asked, wait * (0.5 + Math.random() / 2)), signal);
        }
    };
    const ofMember = async (username, suffix, request) => usernames.test(username) ? get(prefix + username + suffix, request) : notFound;
    return {
        members: async (request = {}) => {
            const body = checked(await get('/api/members', request), 'Members');
            return body === notFound ? body : body.Members;
        },
        profile: async (username, request = {}) => checked(await ofMember(username, '', request), 'username'),
        shots: async (username, request = {}) => {
            const body = checked(await ofMember(username, '/shots', request), 'Shots');
            return body === notFound ? body : body.Shots;
        },
    };
};
/** The moment that a timestamp of the API stands for, taken as UTC; `undefined` for the one that is all zeros. */
export const dateOf = (timestamp) => timestamp.startsWith('0000') ? undefined : new Date(`${timestamp.replace(' ', 'T')}Z`);
/** The words of `skills` or `tags`; none of an empty text. */
export const wordsOf = (text) => (text ? text.split(',') : []);
const notFound = 'not_found';
/** Answers that are kept to be asked for with their ETags. */
const keptMost = 500;
/** Statuses that may be others in a moment. */
const passing = [429, 500, 502, 503, 504];
/** Milliseconds; who is asked to wait longer gets the answer instead. */
const longestWait = 30_000;
/** One port can't serve two schemes, so a base with a port keeps its own. */
const rootOf = (base, scheme) => {
    if (!/^https?:\/\/./i.test(`${base}`))
        throw new TypeError(`write https:// and the name of the host, not "${base}"`);
    const url = new URL(base);
    const page = globalThis.location?.protocol;
    const own = page === 'https:' || page === 'http:' ? page : url.protocol;
    if (!url.port)
        url.protocol = scheme ?? own;
    return url.origin + url.pathname.replace(/\/+$/, '');
};
/** The body of a list has the list under its key, a profile its username. */
const checked = (body, key) => {
    const value = body?.[key];
    const isRight = key === 'username' ? typeof value === 'string' : Array.isArray(value);
    if (body === notFound || isRight)
        return body;
    throw new ApiError('the answer is none of the API', 200);
};
const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
    const end = () => {
        clearTimeout(timer);
        reject(signal.reason);
    };
    const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end);
        resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
});
