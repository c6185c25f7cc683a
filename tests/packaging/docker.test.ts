import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ROOT } from './support.ts';

const DOCKER = join(ROOT, 'packaging/docker');
const dockerfile = readFileSync(join(DOCKER, 'Dockerfile'), 'utf8');
const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

test('Docker image: the program has no shell, no root and a volume of its own', () => {
  assert.match(final, /^USER 65532:65532$/m);
  assert.match(final, /^VOLUME \/data$/m);
  assert.match(final, /^STOPSIGNAL SIGTERM$/m);
  assert.doesNotMatch(final, /^(RUN|SHELL) /m);
  for (const instruction of ['ENTRYPOINT', 'CMD', 'HEALTHCHECK .* CMD']) {
    assert.match(final, new RegExp(`^${instruction} \\[`, 'm'));
  }
});

test('Docker image: what it copies from the checkout is there, and not ignored', () => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').trim().split('\n');
  const lines = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));
  assert.ok(lines.includes('package-lock.json'));
  for (const source of lines) assert.ok(existsSync(join(ROOT, source)), source);
  for (const needed of ['src', 'bin', 'docs', 'samples', 'skills', 'packaging', 'clients', 'LICENSE', 'CHANGELOG.md']) {
    assert.ok(!ignored.includes(needed), needed);
  }
});

test('compose.yaml: the container can change its data alone', () => {
  const { services } = parse(readFileSync(join(DOCKER, 'compose.yaml'), 'utf8')) as {
    services: Record<string, Record<string, unknown>>;
  };
  const service = services['agent-runtime']!;
  assert.equal(service.read_only, true);
  assert.deepEqual(service.cap_drop, ['ALL']);
  assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
  assert.deepEqual(service.volumes, ['data:/data']);
  assert.deepEqual(service.ports, ['127.0.0.1:3000:3000']);
});

test('healthcheck: succeeds while the server answers that it is ready', async (t) => {
  let status = 200;
  const server = createServer(({ url }, response) => response.writeHead(url === '/readyz' ? status : 404).end());
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  assert.equal(await healthcheck(port), 0);
  status = 503;
  assert.equal(await healthcheck(port), 1);
  server.close();
  assert.equal(await healthcheck(port), 1);
});

async function healthcheck(port: number): Promise<number> {
  const child = spawn(process.execPath, [join(DOCKER, 'healthcheck.js')], { env: { PORT: String(port) } });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}
