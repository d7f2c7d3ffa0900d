import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host, HostOptions } from '../../scripts/hosts/host.ts'
import type { Engine, Place, Prepared } from './engine.ts'
import { served } from './proofs.ts'

const brotli = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** Puts the config into a file of that name, of which the commands are told. */
const fromFile =
  (name: string, commandsOf: (file: string, place: Place) => Prepared): Engine['prepare'] =>
  async (config, place) => {
    const file = `${place.folder}/${name}`
    await writeFile(file, config)
    return commandsOf(file, place)
  }

/**
 * nginx with an http context that would spoil the answers if the config under test relied on
 * its defaults.
 */
export const nginxEngine: Engine = {
  name: 'nginx',
  debian: 'nginx-light libnginx-mod-http-brotli-static',
  binary: '/usr/sbin/nginx',
  needs: [brotli],
  bindsToCheck: true,
  prepare: async (config, { folder }) => {
    const file = `${folder}/nginx.conf`
    const temporary = 'client_body proxy fastcgi uwsgi scgi'
      .split(' ')
      .map((name) => `  ${name}_temp_path ${folder}/${name};`)
    await writeFile(`${folder}/site.conf`, config.replaceAll('/var/cache/', `${folder}/`))
    await writeFile(
      file,
      `load_module ${brotli};
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr;
events { }
http {
  access_log off;
${temporary.join('\n')}
  types { text/html html; application/json json; application/gzip gz; }
  default_type text/plain;
  charset utf-16;
  autoindex on;
  index index.json;
  gzip on;
  gzip_types *;
  gzip_min_length 1;
  expires 1d;
  add_header Strict-Transport-Security "max-age=1";
  include ${folder}/site.conf;
}
`,
    )
    const args = ['-c', file, '-p', folder, '-e', 'stderr']
    return { args, check: ['-t', '-q', ...args] }
  },
}

export const caddyEngine: Engine = {
  name: 'caddy',
  debian: 'caddy',
  binary: '/usr/bin/caddy',
  prepare: fromFile('Caddyfile', (file, { folder }) => {
    const args = ['--config', file, '--adapter', 'caddyfile']
    return {
      args: ['run', ...args],
      check: ['validate', ...args],
      env: { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    }
  }),
}

export const lighttpdEngine: Engine = {
  name: 'lighttpd',
  debian: 'lighttpd lighttpd-mod-openssl',
  binary: '/usr/sbin/lighttpd',
  needs: ['/usr/lib/lighttpd/mod_openssl.so'],
  prepare: fromFile('lighttpd.conf', (file) => ({
    args: ['-D', '-f', file],
    check: ['-tt', '-f', file],
  })),
}

const apacheModules = '/usr/lib/apache2/modules'

// As Debian enables them, the ones that the config asks for, and one that compresses
// everything it may.
const modules =
  'mpm_event authz_core authz_host mime dir env setenvif alias negotiation autoindex filter deflate reqtimeout headers rewrite ssl http2'
    .split(' ')
    .map((name) => `LoadModule ${name}_module ${apacheModules}/mod_${name}.so`)

const surroundings = (place: string) => `ServerRoot ${place}
PidFile ${place}/httpd.pid
DefaultRuntimeDir ${place}
ErrorLog /dev/stderr
ServerName surroundings.example
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup\n' : ''}${modules.join('\n')}
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

const runApache = fromFile('httpd.conf', (file) => {
  const args = ['-f', file, '-E', '/dev/stderr']
  return { args: [...args, '-D', 'FOREGROUND'], check: [...args, '-t'] }
})

const apacheBase = { debian: 'apache2', binary: '/usr/sbin/apache2' }

/** A whole Apache around a file of sites-enabled. */
const apacheEngine: Engine = {
  ...apacheBase,
  name: 'apache',
  prepare: (config, place) => runApache(surroundings(place.folder) + config, place),
}

/**
 * A shared host's Apache: all that the customer can change is the .htaccess file, and of that
 * only what it says it needs.
 */
export const htaccessEngine = ({ cert, key, basePath }: HostOptions): Engine => ({
  ...apacheBase,
  name: 'htaccess',
  prepare: async (config, place) => {
    const {
      folder,
      root,
      ports: [http, https],
    } = place
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
    return runApache(surroundings(folder) + own, place)
  },
})

/** The hosts that are servers of one's own. */
export const servers: readonly (readonly [Host, Engine])[] = [
  [served.nginx, nginxEngine],
  [served.caddy, caddyEngine],
  [served.apache, apacheEngine],
  [served.lighttpd, lighttpdEngine],
]

export const haproxyEngine: Engine = {
  name: 'haproxy',
  debian: 'haproxy',
  binary: '/usr/sbin/haproxy',
  prepare: fromFile('haproxy.cfg', (file) => ({
    args: ['-db', '-f', file],
    check: ['-c', '-f', file],
  })),
}

export const varnishEngine: Engine = {
  name: 'varnish',
  debian: 'varnish',
  binary: '/usr/sbin/varnishd',
  prepare: fromFile('default.vcl', (file, { folder, ports: [port] }) => {
    const args = ['-j', 'none', '-n', `${folder}/varnish`, '-f', file]
    return {
      args: [...args, '-F', '-a', `127.0.0.1:${port}`, '-s', 'malloc,16m'],
      check: [...args, '-C'],
    }
  }),
}

/** The snippet of docs/hosting/servers.md in that language, with other addresses and files. */
export const documentedConfig = (
  language: string,
  changes: Readonly<Record<string, string>>,
) => {
  const docs = readFileSync('docs/hosting/servers.md', 'utf8')
  let text = docs.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`the snippet has no ${from}`)
    text = text.replace(from, to)
  }
  return text
}
