import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from './engine.ts'

const brotli = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** nginx with an http context that would spoil the answers if the config under test relied on its defaults. */
export const nginxEngine: Engine = {
  name: 'nginx',
  debian: 'nginx-light libnginx-mod-http-brotli-static',
  binary: '/usr/sbin/nginx',
  needs: [brotli],
  bindsToCheck: true,
  prepare: async (config, { folder }) => {
    const file = join(folder, 'nginx.conf')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    await writeFile(join(folder, 'site.conf'), config.replaceAll('/var/cache/', `${folder}/`))
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
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
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
