/**
 * A client of the API in one file without dependencies, for browsers, Node 20 and later, and
 * workers. Copy it. docs/client.md says how it is used.
 */
/** The profile of a member. */
export type Profile = {
    /** How many follow the member. A whole number from 0 up. */
    readonly totalFollowers: string;
    /** How many the member follows. A whole number from 0 up. */
    readonly totalFollowing: string;
    /** How many likes the member has. A whole number from 0 up. */
    readonly Likes: string;
    /** How many shots the member has; may be more than are served. A whole number from 0 up. */
    readonly totalShots: string;
    /** How many lists the member keeps. A whole number from 0 up. */
    readonly Lists: string;
    /** In how many lists of others the member is. A whole number from 0 up. */
    readonly Listed: string;
    /** How many projects the member has. A whole number from 0 up. */
    readonly Projects: string;
    /** The member's id. A whole number from 1 up. */
    readonly id: string;
    /** The member's username of today. 1 to 64 of `A-Z a-z 0-9 . _ -`, beginning with a letter or digit. */
    readonly username: string;
    /** The display name. Text, not blank. */
    readonly name: string;
    /** Where the member is. Text, or empty. */
    readonly location: string;
    /** The member's page on a microblogging network. An `http://` or `https://` address as its owner wrote it, or empty. */
    readonly twitter: string;
    /** The member's website. An `http://` or `https://` address as its owner wrote it, or empty. */
    readonly website: string;
    /** What the member says of themselves; may hold hash-tags. Text, or empty. */
    readonly bio: string;
    /** What the member can do. Words joined by commas, without spaces, or empty. */
    readonly skills: string;
    /** The member's picture. An address in the scheme of the request, or empty. */
    readonly avatar: string;
    /** The type of the account; the site gives the codes their meaning. A whole number from 0 up. */
    readonly type_account: string;
    /** The picture at the top of the member's page. An address in the scheme of the request, or empty. */
    readonly cover_image: string;
};
/** One published work of a member. */
export type Shot = {
    /** The shot's id, unique over the site. A whole number from 1 up. */
    readonly id: string;
    /** The id of the project that it belongs to; `0` is none. A whole number from 1 up, or `0`. */
    readonly id_project: string;
    /** When that project began; all zeros without a project. `YYYY-MM-DD HH:MM:SS`, or `0000-00-00 00:00:00`. */
    readonly created_project: string;
    /** The picture. An address in the scheme of the request. */
    readonly image: string;
    /** The picture in a large size. An address in the scheme of the request. */
    readonly large_image: string;
    /** A name for the shot, unique over the site; it proves nothing. 40 of `0-9a-f`. */
    readonly token_id: string;
    /** What its member says of it. Text, or empty. */
    readonly description: string;
    /** What it is called. Text, not blank. */
    readonly title: string;
    /** The member's `id`. A whole number from 1 up. */
    readonly user_id: string;
    /** Its status; the site gives the codes their meaning. A whole number from 0 up. */
    readonly status: string;
    /** What it is about. Words joined by commas, without spaces, or empty. */
    readonly tags: string;
    /** When it was made; no zone is known. `YYYY-MM-DD HH:MM:SS`. */
    readonly date: string;
    /** A file that comes with it. An address in the scheme of the request, or empty. */
    readonly attachment: string;
    /** Where it can be bought. An `http://` or `https://` address as its owner wrote it, or empty. */
    readonly url_purchased: string;
    /** What it costs. Text, or empty. */
    readonly price_item: string;
};
/** What is asked for is not there: no member has this username, in this letter case. */
export type NotFound = 'not_found';
/** A row of the list of members. */
export type ListedMember = Pick<Profile, 'id' | 'username' | 'name' | 'totalShots'> & {
    /** That of the newest published shot, or all zeros. `YYYY-MM-DD HH:MM:SS`. */
    readonly date: string;
};
export type Client = {
    /** All members, sorted by username; not found where the site has no `members: true`. */
    readonly members: (options?: RequestOptions) => Promise<readonly ListedMember[] | NotFound>;
    /** The profile of a member. */
    readonly profile: (username: string, options?: RequestOptions) => Promise<Profile | NotFound>;
    /**
     * When the site was published; rejects with what is wrong with that. Not found where it
     * doesn't say so.
     */
    readonly published: (options?: PublishedOptions) => Promise<Published | NotFound>;
    /** The newest shots of a member, newest first; an empty list if there are none. */
    readonly shots: (username: string, options?: RequestOptions) => Promise<readonly Shot[] | NotFound>;
};
/** What a site says of its publication. */
export type Published = {
    /** In UTC. `YYYY-MM-DD HH:MM:SS`. */
    readonly published: string;
    /** What it was made from; may be empty. */
    readonly commit: string;
    /**
     * The sha256 of the list of files, and of the index of everything (empty where the site has
     * none).
     */
    readonly sums: string;
    readonly all: string;
};
export type PublishedOptions = RequestOptions & {
    /** The line of an Ed25519 key of ssh that has to have signed it: `ssh-ed25519 AAAA…`. */
    readonly key?: string | undefined;
    /** Milliseconds that it may be old. */
    readonly maxAge?: number | undefined;
    /** What was `published` when you asked last: nothing older is taken. */
    readonly since?: string | undefined;
};
export type RequestOptions = {
    /** Ends the request, and the waiting between two tries. */
    readonly signal?: AbortSignal | undefined;
};
export type ClientOptions = {
    /**
     * Scheme of the requests, and so of the addresses in the answers. Default: that of the
     * page, else of the base.
     */
    readonly scheme?: 'https' | 'http' | undefined;
    /** How often a request is sent again after a failure that may pass. Default: 2. */
    readonly retries?: number | undefined;
    /** Milliseconds that an answer may take, its body included. Default: 30,000. */
    readonly timeout?: number | undefined;
    /** Default: the `fetch` of the platform. */
    readonly fetch?: typeof fetch | undefined;
};
/**
 * The API could not be asked, or its answer is none of its own. `status` is 0 where there was
 * no answer at all.
 */
export declare class ApiError extends Error {
    readonly name = "ApiError";
    readonly status: number;
    constructor(message: string, status: number, options?: ErrorOptions);
}
/** `base` is what the paths of the API follow: `https://api.example.com`. Nothing is sent yet. */
export declare const createClient: (base: string | URL, options?: ClientOptions) => Client;
/**
 * The moment that a timestamp of the API stands for, taken as UTC; `undefined` for the one
 * that is all zeros.
 */
export declare const dateOf: (timestamp: string) => Date | undefined;
/** The words of `skills` or `tags`; none of an empty text. */
export declare const wordsOf: (text: string) => readonly string[];
