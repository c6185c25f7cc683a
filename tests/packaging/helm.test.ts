import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse, parseDocument } from 'yaml';
import { describeSettings } from '../../src/config.ts';
import { ROOT } from './support.ts';

// Helm is not an npm package. `npm run lint:chart` runs it where it is installed; this is what needs no rendering.

type Values = { [name: string]: unknown };

const CHART = join(ROOT, 'packaging/helm/agent-runtime');
const read = (path: string) => readFileSync(join(CHART, path), 'utf8');
const templates = new Map(readdirSync(join(CHART, 'templates')).map((name) => [name, read(`templates/${name}`)]));
const defaults = parse(read('values.yaml')) as Values;
const schema = JSON.parse(read('values.schema.json'));
const validate = new Ajv({ allErrors: true, strictTypes: false }).compile(schema);
const deployment = templates.get('deployment.yaml')!;

test('Helm chart: has the version of the program', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const chart = parse(read('Chart.yaml')) as Record<string, string>;
  assert.equal(chart.apiVersion, 'v2');
  assert.equal(chart.version, version);
  assert.equal(chart.appVersion, version);
});

test('Helm chart: the schema accepts the examples', () => {
  for (const name of readdirSync(join(CHART, 'examples')))
    assert.deepEqual(faults(parse(read(`examples/${name}`))), []);
});

test('Helm chart: the schema names what is missing', () => {
  assert.deepEqual(faults({}), [
    '/publicUrl pattern',
    '/secret/clickhouseUrl minLength',
    '/secret/databaseUrl minLength',
    '/secret/secretKey minLength',
    '/secret/uploadsUrl minLength',
  ]);
  assert.deepEqual(faults({ ...GIVEN, ingress: { enabled: true } }), ['/ingress/host minLength']);
});

test('Helm chart: the schema refuses unknown values, and settings set elsewhere', () => {
  assert.deepEqual(faults(GIVEN), []);
  assert.deepEqual(faults({ ...GIVEN, replicas: 3 }), [' additionalProperties']);
  assert.deepEqual(faults({ ...GIVEN, settings: { AGENT_RUNTIME_SECRET_KEY: 'x'.repeat(32) } }), [
    '/settings not',
    '/settings propertyNames',
  ]);
  // YAML numbers of seven digits would be written as 1e+06.
  assert.deepEqual(faults({ ...GIVEN, settings: { AGENT_RUNTIME_RATE_LIMIT: 1_000_000 } }), [
    '/settings/AGENT_RUNTIME_RATE_LIMIT type',
  ]);
});

const GIVEN = { publicUrl: 'https://runtime.example.com', existingSecret: 'urls' };

test('Helm chart: settings of templates and schema exist', () => {
  // Hosting platforms set these two without the prefix.
  const known = new Set([
    ...['AGENT_RUNTIME_HOST', 'AGENT_RUNTIME_PORT'],
    ...describeSettings().map(({ variable }) => variable),
  ]);
  const reserved = new Set<string>(schema.properties.settings.propertyNames.not.enum);
  const used = [...templates.values()].flatMap((text) => text.match(/\bAGENT_RUNTIME_[A-Z0-9_]+/g) ?? []);
  assert.ok(used.length > 8);
  for (const name of used) assert.ok(reserved.has(name), `${name} could be set twice`);
  for (const name of reserved) assert.ok(known.has(name), name);
});

test('Helm chart: templates use values that exist, and every value is used', () => {
  const used = new Set<string>();
  for (const [name, text] of templates) {
    for (const [, path] of text.matchAll(/\.Values((?:\.\w+)+)/g)) {
      const members = path!.slice(1).split('.');
      assert.notEqual(valueAt(defaults, members), undefined, `${name}: ${path}`);
      used.add(members.join('.'));
    }
  }
  assert.deepEqual(
    leavesOf(defaults).filter((leaf) => ![...used].some((path) => leaf === path || leaf.startsWith(`${path}.`))),
    [],
  );
});

test('Helm chart: README.md and the schema have every value, and no other', () => {
  const rows = [...read('README.md').matchAll(/^\| (`.*?`) \| /gm)].map(([, cell]) => cell!);
  const described = rows.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!));
  const leaves = leavesOf(defaults).map((leaf) => leaf.replace(/^resources\..*/, 'resources'));
  assert.deepEqual(described.sort(), [...new Set(leaves)].sort());
  for (const leaf of leaves) {
    const path = leaf.split('.').flatMap((name) => ['properties', name]);
    assert.notEqual(valueAt(schema, path), undefined, leaf);
  }
});

test('Helm chart: actions of templates are closed, and call functions that Helm has', () => {
  for (const [name, text] of templates) {
    assert.equal(text.split('{{').length, text.split('}}').length, name);
    let open = 0;
    for (const [, action] of text.matchAll(/\{\{-? *(.*?) *-?\}\}/g)) {
      if (/^(if|with|range|define)\b/.test(action!)) open += 1;
      if (action === 'end') open -= 1;
      assert.ok(open >= 0, `${name}: ${action}`);
      if (action!.startsWith('/*')) continue;
      const words = action!.replaceAll(/"[^"]*"/g, '').match(/(?<![\w.$])[a-z]\w*/gi) ?? [];
      for (const word of words) assert.ok(KNOWN.has(word), `${name}: ${word}`);
    }
    assert.equal(open, 0, name);
  }
});

const KNOWN = new Set([
  ...['if', 'else', 'with', 'range', 'define', 'end', 'not', 'include', 'printf', 'print'],
  ...['append', 'concat', 'contains', 'default', 'join', 'list', 'nindent', 'quote', 'replace', 'sha256sum'],
  ...['toYaml', 'trimSuffix', 'trunc'],
]);

test('Helm chart: what the templates include is defined', () => {
  const all = [...templates.values()].join('\n');
  const defined = new Set([...all.matchAll(/define "(.*?)"/g)].map(([, name]) => name!));
  const included = new Set([...all.matchAll(/include "(.*?)"/g)].map(([, name]) => name!));
  assert.deepEqual([...included].sort(), [...defined].sort());
});

test('Helm chart: templates are YAML around their actions', () => {
  for (const [name, text] of templates) {
    if (!name.endsWith('.yaml')) continue;
    const { errors } = parseDocument(withoutActions(text));
    assert.deepEqual(errors, [], name);
    assert.match(text, /^apiVersion: \S+\nkind: \w+\nmetadata:\n {2}name: /m, name);
  }
});

test('Helm chart: pods are replaced one by one, leave the service first, have probes', () => {
  const { spec } = parse(withoutActions(deployment)) as { spec: Values };
  assert.deepEqual(spec.strategy, { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
  const [container] = valueAt(spec, ['template', 'spec', 'containers']) as [Values];
  const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((probe) =>
    valueAt(container, [probe, 'httpGet', 'path']),
  );
  assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz']);
  assert.ok(valueAt(container, ['lifecycle', 'preStop', 'sleep']));
  // Leaving the service, ten seconds of requests, and time to close the stores.
  assert.ok((defaults.terminationGracePeriodSeconds as number) >= (defaults.preStopSeconds as number) + 20);
});

test("Helm chart: pods run as the image's user, and write to scratch volumes alone", () => {
  const { spec } = parse(withoutActions(deployment)) as { spec: Values };
  const pod = valueAt(spec, ['template', 'spec']) as Values;
  const [, user] = /^USER (\d+):\d+$/m.exec(readFileSync(join(ROOT, 'packaging/docker/Dockerfile'), 'utf8'))!;
  const { runAsUser, runAsNonRoot } = pod.securityContext as Values;
  assert.deepEqual({ runAsUser, runAsNonRoot }, { runAsUser: Number(user), runAsNonRoot: true });
  const [container] = pod.containers as [Values];
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.equal(pod.automountServiceAccountToken, false);
  assert.deepEqual(
    (pod.volumes as Values[]).map((volume) => Object.keys(volume)),
    [
      ['name', 'emptyDir'],
      ['name', 'emptyDir'],
    ],
  );
});

/** Lines of actions alone are left out, and other actions stand for a text. */
function withoutActions(text: string): string {
  return text.replaceAll(/^ *\{\{.*\}\} *\n/gm, '').replaceAll(/"?\{\{.*?\}\}"?/g, 'text');
}

/** Places and rules of what the schema refuses, with the defaults for what is not given. */
function faults(given: Values): string[] {
  validate(merged(defaults, given));
  const found = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if');
  return found.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).sort();
}

/** As Helm merges values: maps by their members, everything else as a whole. */
function merged(one: Values, other: Values): Values {
  const result = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = result[name];
    result[name] = isMap(before) && isMap(value) ? merged(before, value) : value;
  }
  return result;
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(values: unknown, path: string[]): unknown {
  return path.reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), values);
}

function leavesOf(values: Values, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    isMap(value) && Object.keys(value).length > 0 ? leavesOf(value, `${prefix}${name}.`) : [prefix + name],
  );
}
