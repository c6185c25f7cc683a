import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { describeSettings } from '../src/config.ts';
import { SCOPES } from '../src/core/base/shared/caller.ts';
import { routes } from '../src/http/app.ts';
import { openApiDocument, operationIdOf } from '../src/http/docs/openapi.ts';
import { MAY_IMPORT } from './support/layers.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
const TESTS = join(ROOT, 'tests');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const CONFIGURATION = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');

const PORTAL = join(ROOT, 'portal/src');
const portalSources = readdirSync(PORTAL, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

test('layers: every file of src belongs to one and imports only what its layer may', () => {
  for (const file of sources) {
    const layer = file.split('/')[0]!;
    const allowed = MAY_IMPORT[layer] ?? assert.fail(`${file}: add its layer to MAY_IMPORT`);
    for (const imported of importsOf(file)) {
      const target = imported.split('/')[0]!;
      assert.ok(target === layer || allowed.includes(target), `${file} imports ${imported}`);
    }
  }
});

test('imports: no file imports itself through others', () => {
  for (const [root, files] of [[SRC, sources] as const, [PORTAL, portalSources] as const]) {
    const visited = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (visited.get(file) === 'open') circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
      if (visited.has(file)) return;
      visited.set(file, 'open');
      for (const imported of importsOf(file, root)) visit(imported, [...path, file]);
      visited.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    assert.deepEqual(circles, []);
  }
});

test('portal: its queries and its controls import no question and no page', () => {
  const allowed = { api: ['api', 'language'], ui: ['api', 'language', 'ui'] };
  for (const [folder, others] of Object.entries(allowed)) {
    for (const file of portalSources.filter((one) => one.startsWith(`${folder}/`))) {
      for (const imported of importsOf(file, PORTAL)) {
        const target = imported.split('/')[0]!;
        assert.ok(others.includes(target), `${file} imports ${imported}`);
      }
    }
  }
});

test('folders: none of src holds more than 25 files', () => {
  const folders = Map.groupBy(sources, (file) => dirname(file));
  for (const [folder, files] of folders) assert.ok(files.length <= 25, `${folder}: ${files.length} files`);
  assert.deepEqual(folders.get('.')?.sort(), ['config.ts', 'main.ts']);
});

/** Modules without I/O. */
const MODULES_OF_CORE = new Set([
  ...['node:crypto', 'node:timers/promises', 'node:util', 'node:zlib'],
  ...['fastest-levenshtein', 'htmlparser2', 'ipaddr.js', 'lru-cache', 're2js', 'temporal-polyfill'],
  ...['yaml', 'zod', 'jose', '@orama/stemmers', '@orama/stopwords', '@pydantic/genai-prices'],
  ...['@zxcvbn-ts/core', '@zxcvbn-ts/language-common', 'croner', 'otplib', '@simplewebauthn/server'],
]);
const IMPORTS_OF_CORE = new Set([...["{ isIP } from 'node:net'", "{ STATUS_CODES } from 'node:http'"]]);

test('core: no I/O, no engine, no environment', () => {
  for (const file of sources.filter((one) => one.startsWith('core/'))) {
    const text = readFileSync(join(SRC, file), 'utf8');
    const imports = [...text.matchAll(/^import (?!type )([^;]+ from '([^.'][^']*)');$|\bimport\('([^']+)'\)/gm)];
    for (const [, whole = '', name, loaded = ''] of imports) {
      const [, module] = /^(@[^/]+\/[^/]+|node:.+|[^/]+)/.exec(name ?? loaded)!;
      assert.ok(MODULES_OF_CORE.has(module!) || IMPORTS_OF_CORE.has(whole), `${file} imports ${name ?? loaded}`);
    }
    assert.doesNotMatch(text, /process\.env|\bfetch\(/, file);
  }
});

test('titles: each is `Unit: behaviour` in at most 80 characters', () => {
  const title = /^ {0,2}(?:test|rareTest)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gms;
  for (const file of readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.ts'))) {
    for (const [, , text] of readFileSync(join(TESTS, file), 'utf8').matchAll(title)) {
      const shown = text!.replaceAll(/\$\{(backend\.)?name\}/g, 'SQLite');
      assert.match(shown, /: |^\$\{/, `${file}: ${shown}`);
      assert.ok(shown.includes('${') || shown.length <= 80, `${file}: ${shown}`);
    }
  }
});

/** Their tests need servers with settings, clocks or budgets of their own. */
const MANY_APPS = new Set([
  ...['http/oauth/documents.test.ts', 'http/routes/portal/login-cookie.test.ts', 'http/routes/portal/tokens.test.ts'],
  'http/routes/portal/invitations.test.ts',
  ...['http/routes/quotas.test.ts', 'http/sso/passwords.test.ts', 'http/statuses.test.ts'],
]);

test('apps: tests of http share one by file, with a tenant each', () => {
  for (const file of readdirSync(TESTS, { recursive: true, encoding: 'utf8' })) {
    if (!file.startsWith('http/') || !file.endsWith('.test.ts') || MANY_APPS.has(file)) continue;
    const apps = readFileSync(join(TESTS, file), 'utf8').match(/\btestApp\(/g) ?? [];
    assert.ok(apps.length <= 3, `${file} starts ${apps.length} apps: use appOfThisFile() or tenantsOfThisFile()`);
  }
});

test('core: every noun has a folder of tests', () => {
  const tested = new Set(foldersOf(TESTS, 2));
  assert.deepEqual(
    foldersOf(SRC, 2).filter((noun) => !tested.has(noun)),
    [],
  );
});

/** The groups of core, each of which imports only those before it. */
const GROUPS = ['base', 'limits', 'access', 'analytics', 'knowledge', 'agents', 'watch', 'operation'];

test('core: a group imports no later one', () => {
  const rank = (file: string) => GROUPS.indexOf(file.split('/')[1]!);
  const back = sources
    .filter((file) => rank(file) >= 0)
    .flatMap((file) => importsOf(file).map((imported) => [file, imported] as const))
    .filter(([file, imported]) => rank(imported) > rank(file));
  assert.deepEqual(foldersOf(SRC, 1).sort(), [...GROUPS].sort());
  assert.deepEqual(
    back.map(([file, imported]) => `${file} imports ${imported}`),
    [],
  );
});

test('functions: none stands in two files word for word', () => {
  const found = new Map<string, string>();
  // Charts run in browsers too, and import nothing.
  for (const file of sources.filter((one) => !one.startsWith('charts/'))) {
    const written = readFileSync(join(SRC, file), 'utf8');
    for (const [, text] of written.matchAll(/^(?:export )?((?:async )?function.*\{\n(?:.*\n){2,}?\}\n)/gm)) {
      assert.equal(found.get(text!), undefined, `${file} has a function of another file: ${text}`);
      found.set(text!, file);
    }
  }
});

test('timers: work that is repeated is a PeriodicTask', () => {
  for (const file of sources) assert.doesNotMatch(readFileSync(join(SRC, file), 'utf8'), /\bsetInterval\(/, file);
});

/** Compilers of questions are twins until one serves both engines. */
const TWINS = /^storage\/events\/(duckdb|clickhouse)\/read\//;
/** Each engine of events has its own. */
const OF_EACH_ENGINE = new Set([
  'Backlog',
  'Flushed',
  'Flusher',
  'FlusherParts',
  'KINDS',
  'Kind',
  'MAX_COLUMNS',
  'Remover',
  'Run',
  'STAGES',
  'Shredder',
  'SpoolFound',
  'SpooledBatch',
  'Stage',
  'TenantColumns',
  'addColumns',
  'columnName',
  'createTables',
  'knownEvents',
  'unavailable',
]);
/** Each command has them: it registers itself, and it runs. */
const OF_COMMANDS = new Set(['register', 'run']);

test('names: an exported name stands for one thing', () => {
  const places = new Map<string, Set<string>>();
  // Charts run in browsers too, and describe the same answers without importing core.
  for (const file of sources.filter((one) => !one.startsWith('charts/'))) {
    const text = readFileSync(join(SRC, file), 'utf8');
    const exported = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
    for (const [, name] of text.matchAll(exported)) {
      if (OF_COMMANDS.has(name!)) continue;
      const isTwin = TWINS.test(file) || (file.startsWith('storage/events/') && OF_EACH_ENGINE.has(name!));
      places.set(name!, (places.get(name!) ?? new Set()).add(isTwin ? 'the stores of events' : file));
    }
  }
  assert.deepEqual(
    [...places].filter(([, files]) => files.size > 1).map(([name, files]) => `${name}: ${[...files].join(', ')}`),
    [],
  );
});

/** PATH and the like say how the program was started. */
const READS_ENVIRONMENT = new Set(['config.ts', 'commands/presentation/invocation.ts']);

test('settings: only config.ts reads the environment', () => {
  for (const file of sources.filter((one) => !READS_ENVIRONMENT.has(one))) {
    assert.doesNotMatch(readFileSync(join(SRC, file), 'utf8'), /process\.env/, file);
  }
});

test('standard output belongs to the commands: nothing else writes to it', () => {
  for (const file of sources.filter((one) => !one.startsWith('commands/'))) {
    assert.doesNotMatch(readFileSync(join(SRC, file), 'utf8'), /console\.|process\.stdout/, file);
  }
});

/** Each asks for its own proof. */
const SECOND_FACTOR = ['/second-factor', '/second-factor/enrolment', '/second-factor/enrolment/confirm'];
const LOGINS = ['', '/link', '/passkey', '/passkey/options', ...SECOND_FACTOR];

test('routes: each requires a right or is listed as open, and has schemas and docs', () => {
  const open = new Set([
    ...['/healthz', '/readyz', '/api/v1/portal/invitations/describe', '/api/v1/portal/invitations/accept'],
    ...['json', 'svg', 'png'].map((type) => `/shared/:secret.${type}`),
    ...[...LOGINS, '/sso'].map((step) => `/api/v1/portal/login${step}`),
  ]);
  const rights = new Set<string>([
    ...SCOPES,
    'portal:user',
    'portal:administrator',
    'portal:operator',
    'authenticated',
  ]);
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    assert.ok(open.has(route.path) ? route.access === 'open' : rights.has(route.access), name);
    assert.ok(route.summary.length > 5 && route.description.length > 20, name);
    assert.ok(
      Object.keys(route.responses).some((status) => status.startsWith('2')),
      name,
    );
    assert.equal(/:\w/.test(route.path), route.params !== undefined, `${name}: path parameters have a schema`);
    if (['post', 'put', 'patch'].includes(route.method)) {
      assert.ok(route.body ?? route.multipart, `${name}: has a body schema`);
      assert.ok(!(route.body && route.multipart), `${name}: has one kind of body`);
    }
  }
});

test('routes: other media types and response headers are valid and described', () => {
  for (const { method, path, responses } of routes) {
    for (const { content = {}, headers = {} } of Object.values(responses)) {
      for (const [type, schema] of Object.entries(content)) {
        assert.match(type, /^[a-z]+\/[a-z0-9.+-]+$/, `${method} ${path}`);
        assert.notEqual(type, 'application/json', `${method} ${path}: its schema is the answer's`);
        assert.ok(schema.description, `${method} ${path}: ${type}`);
      }
      for (const [name, says] of Object.entries(headers)) {
        assert.match(name, /^[a-z][a-z0-9-]*$/, `${method} ${path}`);
        assert.ok(says.length > 10, `${method} ${path}: ${name}`);
      }
    }
  }
});

test('OpenAPI document: has every route, and every reference resolves', () => {
  const document = openApiDocument(routes) as {
    paths: Record<string, object>;
    components: Record<'schemas' | 'responses', object>;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as { operationId: string }[]);
  const ids = new Set(operations.map(({ operationId }) => operationId));
  assert.equal(ids.size, operations.length);
  for (const route of routes) assert.ok(ids.has(operationIdOf(route)), `${route.method} ${route.path}`);
  for (const [, kind, name] of JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
    assert.ok(name! in document.components[kind as 'schemas' | 'responses'], name);
  }
});

test('OpenAPI document: members of requests and responses are described', () => {
  // The tool's members are described in docs/mcp.md: words there cost every client tokens.
  const looked = routes.filter(
    ({ path }) =>
      /^\/api\/v1\/(portal|runtime\/users|runtime\/v1\/vectors|runtime\/v1\/observability\/(executions|reviews))\b/.test(
        path,
      ) && !path.endsWith('/aggregate'),
  );
  const undescribed: string[] = [];
  const document = openApiDocument(looked) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown> };
  };
  const ids = new Set(looked.map(operationIdOf));
  const seen = new Set<string>();
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, value] of Object.entries(schema)) {
      if (name === '$ref') {
        const named = /^#\/components\/schemas\/(\w+)$/.exec(String(value))?.[1];
        if (named === undefined || seen.has(named) || named === 'Error' || named === 'EventFilter') continue;
        seen.add(named);
        walk(document.components.schemas[named], named);
      }
      if (name === 'examples') continue;
      if (name !== 'properties') {
        walk(value, at);
        continue;
      }
      for (const [member, described] of Object.entries(value as Record<string, { description?: string }>)) {
        if (!described.description) undescribed.push(`${at}: ${member}`);
        walk(described, `${at}: ${member}`);
      }
    }
  };
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { operationId, parameters, requestBody, responses }] of Object.entries(operations)) {
      if (!ids.has(operationId)) continue;
      const at = `${method} ${path}`;
      for (const { name, description } of parameters) if (!description) undescribed.push(`${at}: ${name}`);
      walk([requestBody, responses], at);
    }
  }
  assert.ok(looked.length > 30);
  assert.ok(seen.size > 20);
  assert.deepEqual(undescribed, []);
});

interface Operation {
  operationId: string;
  parameters: { name: string; description?: string }[];
  requestBody?: unknown;
  responses: unknown;
}

test('docs/configuration.md: the table is generated from the settings', () => {
  for (const { variable, default: byDefault, description } of describeSettings()) {
    assert.ok(
      CONFIGURATION.includes(`| \`${variable}\` | ${byDefault ? `\`${byDefault}\`` : ''} | ${description} |`),
      variable,
    );
  }
});

test('README: its commands are scripts of the package, and it is short', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  assert.ok(README.split('\n').length <= 161, 'README.md has more than 160 lines');
  for (const [, script] of README.matchAll(/npm run ([\w:]+)/g)) assert.ok(script! in scripts, script);
  assert.match(readFileSync(join(ROOT, '.ci/run'), 'utf8'), /npm ci\nnpm run engines\nnpm test/);
});

/** Folders below core: groups at depth 1, nouns at depth 2 (knowledge is a group of one noun). */
function foldersOf(place: string, depth: number): string[] {
  return readdirSync(join(place, 'core'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(join(place, 'core'), join(entry.parentPath, entry.name)))
    .filter((folder) => folder.split('/').length === depth);
}

function importsOf(file: string, root = SRC): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const imports = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)];
  // The portal also imports from src, whose circles are those of src.
  return imports
    .map(([, path]) => relative(root, resolve(root, dirname(file), path!)))
    .filter((one) => root === SRC || !one.startsWith('..'));
}

test('comments: each line has at most 100 characters, unless one word is longer', () => {
  for (const file of sources) {
    const lines = readFileSync(join(SRC, file), 'utf8').split('\n');
    const long = lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line) && line.length > 100 && !/^\W*\S+$/.test(line));
    assert.deepEqual(long, [], file);
  }
});

test('comments: none begins with a word that leans on a noun left out', () => {
  const leaning =
    /^\s*(?:\{?\/\*\*?|\/\/)(?:\n\s*\*)? (?:(?:Of|Those|What|The same|That of) |(?:Null|False|Undefined):).*/gm;
  for (const [root, files] of [[SRC, sources] as const, [PORTAL, portalSources] as const]) {
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/(?<=^\s*\/\/.*\n\s*)\/\/ /gm, '');
      assert.deepEqual(text.match(leaning), null, file);
    }
  }
});
