import { commonHeaders, contentType, errors, okHeaders, storeFailure } from '../../api/routes.ts'

export type NginxOrigin = {
  /** As in `HostOptions`. */
  readonly origin: string
  /** A name of this site's own, for the store and what nginx keeps of it. */
  readonly zone: string
  /** The variable that holds the path of the file that answers; it is empty if there is none. */
  readonly file: string
}

/** What stands beside the server: the store's addresses, and what was fetched last. */
export const originContext = ({ origin, zone }: NginxOrigin): string => {
  const { protocol, hostname, port } = new URL(origin)
  return `\
# the store; its name is looked up when nginx starts, and when it is reloaded
upstream ${zone} {
  server ${hostname}:${port || (protocol === 'https:' ? 443 : 80)};
  keepalive 32;
}
# what the store answered, asked for again after a second; it stands in while the store fails
proxy_cache_path /var/cache/${zone} levels=1:2 keys_zone=${zone}:10m max_size=1g inactive=1d use_temp_path=off;
`
}

/** The location that answers from the store. */
export const originLocation = ({ origin, zone, file }: NginxOrigin): string => {
  const { protocol, host, hostname, pathname } = new URL(origin)
  return `\
  location / {
    if (${file} = "") {
      return ${errors.notFound.status};
    }
    proxy_pass ${protocol}//${zone}${pathname.replace(/\/$/, '')}${file};
${protocol === 'https:' ? verified(hostname) : ''}\
    proxy_http_version 1.1;
    proxy_connect_timeout 5s;
    proxy_read_timeout 15s;
    proxy_next_upstream_tries 2;

    # nothing of the request goes to the store but the path: a header could change what it answers
    proxy_pass_request_headers off;
    proxy_pass_request_body off;
    proxy_set_header Host ${host};
    proxy_set_header Connection "";
    proxy_set_header Content-Length "";
    proxy_set_header If-Modified-Since "";

    # nginx answers If-None-Match only from its cache
    proxy_cache ${zone};
    proxy_cache_key ${file};
    proxy_cache_valid 200 1s;
    proxy_cache_revalidate on;
    proxy_cache_lock on;
    proxy_cache_use_stale error timeout invalid_header http_429 http_500 http_502 http_503 http_504;
    proxy_ignore_headers Cache-Control Expires Set-Cookie Vary ${accel.map((name) => `X-Accel-${name}`).join(' ')};
${hidden.map((name) => `    proxy_hide_header ${name};`).join('\n')}

    # without the right to list, a store says 403 of a file that is not there
    proxy_intercept_errors on;
    error_page 403 404 =${errors.notFound.status} /${errors.notFound.file};
    error_page ${failures.join(' ')} =${storeFailure.status} @store_failure;
  }
  location @store_failure {
    return ${storeFailure.status} '${storeFailure.body.replaceAll('\n', '\\n')}';
  }`
}

const verified = (hostname: string): string => `\
    proxy_ssl_server_name on;
    proxy_ssl_name ${hostname};
    proxy_ssl_verify on;
    proxy_ssl_verify_depth 4;
    # on Red Hat and its kin: /etc/pki/tls/certs/ca-bundle.crt
    proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
`

const accel = ['Redirect', 'Expires', 'Limit-Rate', 'Buffering', 'Charset']

/** Headers of stores that must not pass. nginx takes no patterns, so each has its name. */
const hidden = [
  // the site has its own
  ...Object.keys({ 'Content-Type': contentType, ...commonHeaders, ...okHeaders }),
  ...['Accept-Ranges', 'Expires', 'Pragma', 'Vary'],
  // clients would take them for the site's
  ...[
    'Alt-Svc',
    'Content-Disposition',
    'Link',
    'NEL',
    'Report-To',
    'Set-Cookie',
    'Strict-Transport-Security',
  ],
  // what deploy and Amazon add
  ...[
    'X-Amz-Bucket-Region',
    'X-Amz-Expiration',
    'X-Amz-Id-2',
    'X-Amz-Meta-Mtime',
    'X-Amz-Replication-Status',
  ],
  ...['X-Amz-Request-Id', 'X-Amz-Server-Side-Encryption', 'X-Amz-Storage-Class', 'X-Amz-Version-Id'],
]

/** What a store may answer besides: it is no answer of the API, and must not reach a client. */
const failures = [
  ...[300, 301, 302, 303, 307, 308],
  ...[400, 401, 402, 405, 406, 409, 410, 411, 412, 416, 429, 451],
  ...[500, 501, 502, 503, 504, 505, 507, 509, 520, 521, 522, 523, 524, 525, 526, 530],
]
