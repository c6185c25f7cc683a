import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { parse } from 'yaml';
import { describeSettings } from '../../src/config.ts';
import { whyNoClickhouse } from '../support/clickhouse.ts';
import { chdbPath } from '../support/engines.ts';
import { rareTest } from '../support/rare.ts';
import { ROOT } from './support.ts';

interface Service {
  image: string;
  build?: unknown;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  restart?: string;
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  networks?: string[] | Record<string, { ipv4_address: string }>;
  healthcheck?: { test: string[] };
  depends_on?: string[] | Record<string, { condition: string }>;
  mem_limit?: string;
}

const COMPOSE = join(ROOT, 'packaging/compose');
const read = (path: string) => readFileSync(join(COMPOSE, path), 'utf8');
const text = read('compose.yaml');
const compose = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
};
const services = Object.entries(compose.services);
const running = services.filter(([, { restart }]) => restart === 'unless-stopped');
const { node, proxy } = compose.services as { node: Service; proxy: Service };

const SETTINGS = new Set(describeSettings().map(({ variable }) => variable));

test('compose.yaml of nodes: every setting exists, and those that nodes share are set', () => {
  const names = [...text.matchAll(/^ +(AGENT_RUNTIME_\w+):/gm)].map(([, name]) => name!);
  for (const name of names) assert.ok(SETTINGS.has(name), name);
  for (const needed of ['DATABASE_URL', 'CLICKHOUSE_URL', 'SECRET_KEY', 'PUBLIC_URL', 'TRUSTED_PROXIES']) {
    assert.ok(names.includes(`AGENT_RUNTIME_${needed}`), needed);
  }
});

test('compose.yaml of nodes: images have exact versions', () => {
  for (const [name, { image, build }] of services) {
    if (build === undefined) assert.match(image, /^[\w./-]+:\d+\.\d+(\.\d+)*(-[a-z0-9-]+)?$/, name);
  }
});

test('compose.yaml of nodes: passwords come from outside and have no default', () => {
  for (const [name, { environment = {} }] of services) {
    for (const [variable, value] of Object.entries(environment)) {
      if (!/PASSWORD|SECRET|_KEY$/.test(variable)) continue;
      assert.match(value, /^\$\{\w+:\?is missing in \.env\}$/, `${name} ${variable}`);
    }
  }
  assert.doesNotMatch(text.replace(/\$\{\w+:\?is missing in \.env\}/g, ''), /:\/\/\w+:\w+@/);
  const ignored = execFileSync('git', ['check-ignore', '.env', 'agent-runtime.env'], {
    cwd: COMPOSE,
    encoding: 'utf8',
  });
  assert.deepEqual(ignored.trim().split('\n'), ['.env', 'agent-runtime.env']);
});

test('compose.yaml of nodes: containers write to volumes alone, and have memory limits', () => {
  for (const [name, service] of services) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.match(service.mem_limit ?? '', /^\d+[mg]$/, name);
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':');
      if (!source!.startsWith('./')) continue;
      assert.ok(existsSync(join(COMPOSE, source!)), volume);
      assert.match(volume, /:ro$/);
    }
  }
  // A named volume would be one for all nodes.
  assert.equal(node.volumes, undefined);
});

test('compose.yaml of nodes: services have health checks, which nodes wait for', () => {
  assert.deepEqual(
    running.map(([name]) => name),
    ['proxy', 'node', 'postgres', 'clickhouse', 'storage'],
  );
  for (const [name, { healthcheck }] of running) assert.equal(healthcheck?.test[0], 'CMD', name);
  assert.deepEqual(node.depends_on, {
    postgres: { condition: 'service_healthy' },
    clickhouse: { condition: 'service_healthy' },
    bucket: { condition: 'service_completed_successfully' },
  });
});

test('compose.yaml of nodes: the proxy alone is reachable, from this machine', () => {
  for (const [name, { ports }] of services) {
    if (name === 'proxy') assert.deepEqual(ports, ['127.0.0.1:8080:8080']);
    else assert.equal(ports, undefined, name);
  }
  assert.equal(compose.networks.engines?.internal, true);
  assert.equal(compose.networks.storage?.internal, true);
  for (const name of ['postgres', 'clickhouse']) assert.deepEqual(compose.services[name]!.networks, ['engines']);
  assert.deepEqual(compose.services.storage!.networks, ['storage']);
});

test('compose.yaml of nodes: nodes trust the proxy, and the proxy knows every node', () => {
  const { front } = proxy.networks as Record<string, { ipv4_address: string }>;
  assert.equal(node.environment!.AGENT_RUNTIME_TRUSTED_PROXIES, front!.ipv4_address);
  const { replicas } = parse(text, { merge: true }).services.node.deploy;
  const names = /:-(.*)\}$/.exec(proxy.environment!.NODES!)![1]!.split(' ');
  assert.equal(names.length, replicas);
  for (const [at, name] of names.entries()) assert.equal(name, `agent-runtime-node-${at + 1}:3000`);
});

test('Caddyfile: streams pass, nodes are probed, and only GET is sent twice', () => {
  const caddyfile = read('Caddyfile');
  for (const line of ['flush_interval -1', 'health_uri /readyz', 'lb_try_duration 5s', 'admin off']) {
    assert.match(caddyfile, new RegExp(`^\\s*${line}$`, 'm'));
  }
  assert.doesNotMatch(caddyfile, /lb_retry_match|read_timeout|write_timeout|request_buffers|response_buffers/);
  // One failure of a request would close the node for all others, and the nodes share their failures.
  assert.doesNotMatch(caddyfile, /fail_duration/);
});

test('ClickHouse: configuration and users are well-formed', () => {
  const files = [...xmlOf('config.d'), ...xmlOf('users.d')];
  assert.equal(files.length, 3);
  for (const file of files) assert.equal(elementsOf(file)[0]!.path, 'clickhouse', file);
});

test('ClickHouse: logs of the server about itself are off or removed after days', () => {
  const elements = elementsOf('clickhouse/config.d/system-logs.xml');
  const logs = elements.filter(({ path }) => /^clickhouse\/\w+_log$/.test(path));
  for (const name of NOISY)
    assert.ok(
      logs.some(({ path }) => path === `clickhouse/${name}`),
      name,
    );
  for (const { path, attributes } of logs) {
    if (attributes.remove !== undefined) continue;
    // Without replacement the partitions of the default configuration would contradict the engine.
    assert.equal(attributes.replace, 'replace', path);
    const engine = elements.find((element) => element.path === `${path}/engine`);
    assert.match(engine?.text ?? '', / TTL event_date \+ INTERVAL \d+ DAY DELETE$/, path);
  }
});

const NOISY = [
  ...['query_log', 'query_thread_log', 'query_views_log', 'query_metric_log', 'trace_log', 'metric_log', 'error_log'],
  ...['asynchronous_metric_log', 'asynchronous_insert_log', 'text_log', 'part_log', 'processors_profile_log'],
  ...['latency_log', 'session_log', 'opentelemetry_span_log', 'background_schedule_pool_log'],
];

test('ClickHouse: inserts are synced, retries are recognized, mutations have room', () => {
  const value = valuesOf('clickhouse/config.d/agent-runtime.xml');
  assert.equal(value('merge_tree/fsync_after_insert'), '1');
  assert.equal(value('merge_tree/fsync_part_directory'), '1');
  assert.equal(value('merge_tree/non_replicated_deduplication_window'), '10000');
  const pool = Number(value('background_pool_size')) * Number(value('background_merges_mutations_concurrency_ratio'));
  for (const name of ['execute_mutation', 'execute_optimize_entire_partition', 'lower_max_size_of_merge']) {
    assert.ok(Number(value(`merge_tree/number_of_free_entries_in_pool_to_${name}`)) < pool, name);
  }
  // A flush is one block: more threads make several of it.
  assert.equal(valuesOf('clickhouse/users.d/agent-runtime.xml')('profiles/agent_runtime/max_insert_threads'), '1');
});

test('ClickHouse: users have their own tables, or loopback alone', () => {
  const elements = elementsOf('clickhouse/users.d/agent-runtime.xml');
  const of = (path: string) => elements.filter((element) => element.path === `clickhouse/users/${path}`);
  assert.deepEqual(of('agent_runtime/password')[0]!.attributes, { from_env: 'EVENTS_PASSWORD' });
  assert.deepEqual(
    of('default/networks/ip').map((element) => element.text),
    ['127.0.0.1', '::1'],
  );
  const [own, ...system] = of('agent_runtime/grants/query').map((element) => element.text);
  const [, rights] = /^GRANT ([A-Z, ]+) ON agent_runtime\.\*$/.exec(own!) ?? assert.fail(own);
  assert.ok(readFileSync(join(ROOT, 'docs/scale.md'), 'utf8').includes(`\`${rights}\``), rights);
  for (const grant of system) assert.match(grant, /^GRANT SELECT ON system\.\w+$/);
});

test('create-database.sh: is executable, and has the password from its environment', () => {
  const script = read('postgres/create-database.sh');
  execFileSync('sh', ['-n', join(COMPOSE, 'postgres/create-database.sh')]);
  assert.match(script, /\\getenv password DATABASE_PASSWORD\n/);
  assert.match(script, /LOGIN PASSWORD :'password';/);
});

rareTest('ClickHouse: the engine knows every setting', { skip: whyNoClickhouse() }, () => {
  const { query } = createRequire(import.meta.url)(chdbPath()!) as { query(text: string, format: string): string };
  const namesIn = (table: string) =>
    new Set(query(`SELECT name FROM system.${table}`, 'TabSeparated').trim().split('\n'));
  const NOT_LISTED = /^(logger\/|listen_host$|query_cache\/)/;
  const known = {
    server: namesIn('server_settings'),
    tables: namesIn('merge_tree_settings'),
    user: namesIn('settings'),
  };
  for (const { path, text: value } of elementsOf('clickhouse/config.d/agent-runtime.xml')) {
    const name = path.slice('clickhouse/'.length);
    if (value === '' || NOT_LISTED.test(name)) continue;
    if (name.startsWith('merge_tree/')) assert.ok(known.tables.has(name.slice('merge_tree/'.length)), name);
    else assert.ok(known.server.has(name), name);
  }
  for (const { path, text: value } of elementsOf('clickhouse/users.d/agent-runtime.xml')) {
    const [, name] = /^clickhouse\/profiles\/agent_runtime\/(\w+)$/.exec(path) ?? [];
    if (name !== undefined && value !== '') assert.ok(known.user.has(name), name);
  }
});

interface Element {
  /** Names from the root, `clickhouse/merge_tree/fsync_after_insert`. */
  path: string;
  attributes: Record<string, string>;
  text: string;
}

function xmlOf(folder: string): string[] {
  return readdirSync(join(COMPOSE, 'clickhouse', folder)).map((name) => `clickhouse/${folder}/${name}`);
}

function elementsOf(file: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => assert.fail(`${file}: ${error.message}`));
  parser.on('opentag', ({ name, attributes }) => {
    const path = [...open.map((element) => element.path.split('/').at(-1)), name].join('/');
    const element = { path, attributes: { ...attributes } as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (part) => {
    const element = open.at(-1);
    if (element) element.text += part.trim();
  });
  parser.on('closetag', () => open.pop());
  parser.write(read(file)).close();
  return elements;
}

function valuesOf(file: string): (path: string) => string | undefined {
  const values = new Map(elementsOf(file).map(({ path, text: value }) => [path, value]));
  return (path) => values.get(`clickhouse/${path}`);
}
