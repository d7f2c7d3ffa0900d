/**
 * A client of the API in one file without dependencies, for browsers, Node 20 and later, and
 * workers. Copy it. docs/client.md says how it is used.
 */
const prefix = '/api/username/';
const usernames = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9-])?$/;
/**
 * The API could not be asked, or its answer is none of its own. `status` is 0 where there was
 * no answer at all.
 */
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
    const bytesOf = async (path, { signal }) => {
        const response = await send(root + path, undefined, signal);
        return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
    };
    const published = async ({ key, maxAge, since = '', ...request }) => {
        const fail = (why) => {
            throw new ApiError(`${root}: published.json ${why}`, 200);
        };
        const bytes = await bytesOf('/published.json', request);
        if (!bytes)
            return key === undefined && maxAge === undefined ? notFound : fail('is missing');
        const said = jsonOf(bytes);
        const time = Date.parse(`${said?.published?.replace?.(' ', 'T')}Z`);
        if (!said || Number.isNaN(time))
            return fail('does not say when it was published');
        const signature = key === undefined ? bytes : await bytesOf('/published.json.sig', request);
        if (key !== undefined && !(signature && (await isSigned(bytes, signature, key))))
            return fail('is not signed by the key');
        const age = Date.now() - time;
        if (maxAge !== undefined && (age > maxAge || age < -3_600_000))
            fail(`is of ${said.published}, ${age < 0 ? 'a time to come' : 'too old'}`);
        if (said.published < since)
            fail(`is of ${said.published}, older than ${since}`);
        // the index of plain http is another one
        if (said.all && root.startsWith('https:')) {
            const index = await bytesOf('/api/all', request);
            if (!index)
                return fail("names /api/all, which can't be had");
            if (hexOf(await digest('SHA-256', index)) !== said.all)
                fail('is of another snapshot than /api/all');
        }
        return said;
    };
    const ofMember = async (username, suffix, request) => usernames.test(username) ? get(prefix + username + suffix, request) : notFound;
    return {
        members: async (request = {}) => {
            const body = checked(await get('/api/members', request), 'Members');
            return body === notFound ? body : body.Members;
        },
        published: (request = {}) => published(request),
        profile: async (username, request = {}) => checked(await ofMember(username, '', request), 'username'),
        shots: async (username, request = {}) => {
            const body = checked(await ofMember(username, '/shots', request), 'Shots');
            return body === notFound ? body : body.Shots;
        },
    };
};
/**
 * The moment that a timestamp of the API stands for, taken as UTC; `undefined` for the one
 * that is all zeros.
 */
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
    return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
};
/** The body of a list has its records under the key; a profile is one, with its username. */
const checked = (body, key) => {
    const value = body?.[key];
    const records = key === 'username' && value ? [body] : value;
    if (body === notFound || (Array.isArray(records) && records.every(isRecord)))
        return body;
    throw new ApiError('the answer is none of the API', 200);
};
/** Each has an id, and all its values are texts. */
const isRecord = (value) => 'id' in Object(value) &&
    Object.values(Object(value)).every((one) => typeof one === 'string');
const jsonOf = (bytes) => {
    try {
        return JSON.parse(new TextDecoder().decode(bytes)) ?? undefined;
    }
    catch {
        return undefined;
    }
};
const digest = async (name, bytes) => new Uint8Array(await crypto.subtle.digest(name, bytes));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
/**
 * Whether `ssh-keygen -Y sign -n shotpress` made this of the bytes with the secret half of an
 * Ed25519 key.
 */
const isSigned = async (bytes, armored, line) => {
    try {
        const text = new TextDecoder().decode(armored);
        const key = fromBase64(line.trim().split(/\s+/)[1]);
        // "SSHSIG", a version, then texts with their lengths
        const parts = textsOf(fromBase64(text.replace(/-----[A-Z ]+-----/g, '')).subarray(10));
        const [own, namespace, reserved, algorithm, signature] = parts;
        const name = new TextDecoder().decode(algorithm);
        const space = new TextDecoder().decode(namespace);
        if (hexOf(own) !== hexOf(key) || space !== 'shotpress' || !/^sha(?:256|512)$/.test(name))
            return false;
        const hash = await digest(name.replace('sha', 'SHA-'), bytes);
        const signed = [namespace, reserved, algorithm, hash].flatMap((part) => [
            0,
            0,
            0,
            part.length,
            ...part,
        ]);
        const use = await crypto.subtle.importKey('raw', textsOf(key)[1], 'Ed25519', false, ['verify']);
        const data = new Uint8Array([...new TextEncoder().encode('SSHSIG'), ...signed]);
        return await crypto.subtle.verify('Ed25519', use, textsOf(signature)[1], data);
    }
    catch {
        return false;
    }
};
const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/\s/g, '')), (one) => one.charCodeAt(0));
const textsOf = (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const texts = [];
    for (let at = 0; at < bytes.length;) {
        const end = at + 4 + view.getUint32(at);
        texts.push(bytes.subarray(at + 4, end));
        at = end;
    }
    return texts;
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
