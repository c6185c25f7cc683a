import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { connector } from '../support/connectors.ts';
import { runCommand, runJson } from '../support/shell.ts';
import { runnerOf } from './runner.ts';

const SECRET = 'the-secret-itself';

/** The commands of connectors. */
function connectorsOf(t: TestContext) {
  const { run, ...runner } = runnerOf(t, SECRET);
  return { ...runner, run: (args: string[], input?: unknown) => run(['connectors', ...args], input) };
}

test('connectors: apply from a file or standard input, list, export and remove', async (t) => {
  const { dataDir, run, soon } = connectorsOf(t);
  const file = join(temporaryDirectory(t), 'connectors.json');
  const a = connector({ slug: 'a', credentials: ['a-token', 'shared'] });
  const b = connector({ slug: 'b', name: 'B\nwith two lines', credentials: ['shared'] });
  writeFileSync(file, `\uFEFF${JSON.stringify({ version: 1, connectors: [a, b] })}`);
  assert.equal(
    (await run(['apply', file])).stdout,
    `SLUG  OUTCOME\na     created\nb     created\nNext: agent-runtime credentials set a-token --hosts pets.example.com\nNext: agent-runtime credentials set shared --hosts pets.example.com\n${soon}`,
  );
  await runCommand(['credentials', 'set', 'shared', '--hosts', '127.0.0.1', '--data-dir', dataDir], { input: SECRET });
  const [again, changed] = [await run(['apply', file]), await run(['apply', '-', '--json'], { ...a, timeoutMs: 6 })];
  assert.equal(
    again.stdout,
    'SLUG  OUTCOME\na     unchanged\nb     unchanged\nNext: agent-runtime credentials set a-token --hosts pets.example.com\n',
  );
  assert.deepEqual(JSON.parse(changed.stdout), {
    tenant: 'default',
    connectors: [{ slug: 'a', outcome: 'changed', missingCredentials: ['a-token'] }],
  });

  assert.equal(
    (await run(['list'])).stdout.replaceAll(/20\S+Z/g, 'TIME'),
    `SLUG  NAME              ENVIRONMENTS  RESOURCES  CHANGED
a     Pet store         production    1          TIME
b     B with two lines  production    1          TIME
`,
  );
  const { connectors } = await runJson(dataDir, 'connectors', 'list');
  const [{ createdAt, updatedAt, ...summary }] = connectors;
  assert.deepEqual(summary, {
    ...{ slug: 'a', name: 'Pet store', environments: ['production'], hosts: ['pets.example.com'] },
    ...{ credentials: ['a-token', 'shared'], resources: 1, tools: 0 },
  });
  assert.ok(updatedAt > createdAt);

  const exported = await run(['export']);
  assert.equal(exported.code, 0);
  assert.match((await run(['apply', '-'], exported.stdout)).stdout, /^a +unchanged\nb +unchanged\n/m);
  const one = JSON.parse((await run(['export', 'b', '--json'])).stdout);
  assert.deepEqual(
    one.connectors.map(({ slug }: { slug: string }) => slug),
    ['b'],
  );

  assert.equal((await run(['remove', 'b'])).stdout, 'Removed b.\n');
  assert.deepEqual(await runJson(dataDir, 'connectors', 'remove', 'a'), { tenant: 'default', removed: 'a' });
  assert.deepEqual(await runJson(dataDir, 'connectors', 'list'), { connectors: [] });
});

test('connectors apply: says where each call must name its credential', async (t) => {
  const { run, soon } = connectorsOf(t);
  const environments = {
    staging: { baseUrl: 'https://x.com', secret: { credential: 'a' } },
    production: { baseUrl: 'https://x.com' },
  };
  const { stdout } = await run(
    ['apply', '-'],
    connector({ environments, auth: { type: 'bearer' }, credentials: ['a'] }),
  );
  assert.equal(
    stdout,
    `SLUG  OUTCOME
pets  created
Next: agent-runtime credentials set a --hosts x.com
Note: environments.production of pets has no secret, so each call must name one (options.credentials), which MCP clients cannot.
${soon}`,
  );
});

test('connectors export: its output is applied to another directory without a change', async (t) => {
  const [one, other] = [connectorsOf(t), connectorsOf(t)];
  const rich = connector({
    environments: {
      staging: { baseUrl: 'http://10.0.0.7', secret: { env: 'PETS' } },
      production: { baseUrl: 'https://x.com' },
    },
    allowPrivateNetworks: ['10.0.0.0/8'],
    headers: { 'x-a': { credential: 'a' }, 'x-b': 'b' },
    credentials: ['a'],
    schemas: { Pet: { type: 'object', properties: { friend: { $ref: '#/schemas/Pet' } } } },
  });
  assert.equal((await one.run(['apply', '-'], rich)).code, 0);
  const { stdout } = await one.run(['export']);
  assert.match((await other.run(['apply', '-'], stdout)).stdout, /^pets +created$/m);
  assert.equal((await other.run(['export'])).stdout, stdout);
});

test('connectors apply: invalid definitions are reported and none is applied', async (t) => {
  const { dataDir, run } = connectorsOf(t);
  const good = connector();
  const cases: [string[], unknown, RegExp][] = [
    [
      ['apply', '-'],
      `{"slug": "${SECRET}", }`,
      /^error: standard input: is not JSON \(line 1, column \d+\): the comma/,
    ],
    [['apply', 'missing.json'], undefined, /^error: There is no file missing\.json\.\n$/],
    [['apply', '/'], undefined, /^error: \/ cannot be read \(EISDIR\)\.\n$/],
    [['apply', '-', '--tenant', 'nobody'], good, /^error: There is no tenant "nobody"/],
    [
      ['export', 'nothing'],
      undefined,
      /^error: connector: there is no connector "nothing", nor any other; `connectors apply`/,
    ],
    [['import', '-', '--slug', 'pets'], 'a: b: c', /^error: standard input:1: /],
    [['import', '-', '--slug', 'Pets!'], PETS, /^error: slug: must be 1 to 100 small letters/],
    [
      ['import', '-', '--slug', 'pets', '--base-url', 'http://10.0.0.7'],
      PETS,
      /^error: environments\.production\.baseUrl: is in a private network/,
    ],
  ];
  for (const [args, input, message] of cases) {
    const { code, stdout, stderr } = await run([...args, '--json'], input);
    assert.deepEqual([code, stdout], [1, ''], `${args.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
  }
  assert.deepEqual(await runJson(dataDir, 'connectors', 'list'), { connectors: [] });
});

test('connectors example: its output can be applied, and its mocks answer', async (t) => {
  const { run } = connectorsOf(t);
  const [shown, json] = [
    await runCommand(['connectors', 'example']),
    await runCommand(['connectors', 'example', '--json']),
  ];
  assert.deepEqual(JSON.parse(json.stdout), JSON.parse(shown.stdout));
  const { code, stdout, stderr } = await run(['apply', '-'], shown.stdout);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^github +created$/m);
  const app = await testApp(t);
  await app.runtime.connectors.apply(app.tenantId, JSON.parse(shown.stdout), null);
  const call = async (resource: string, data: object) => {
    const path = '/api/v1/runtime/v1/connectors/github';
    const { status, body } = await app.request('POST', path, { resource, data, options: { useMock: true } });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  const { full_name } = await call('get-repository', { owner: 'expressjs', repo: 'express' });
  assert.equal(full_name, 'expressjs/express');
  assert.equal((await call('search-repositories', { q: 'express', sort: 'stars', per_page: 5 })).total_count, 1);
});

const PETS = {
  openapi: '3.0.3',
  info: { title: 'Pet store', version: '1' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  security: [{ token: [] }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: 'Some.' } },
      },
    },
    '/pets/{petId}': {
      delete: {
        operationId: 'removePet',
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 204: { description: 'Gone.' } },
      },
    },
  },
};

const RESOURCES = `RESOURCE   METHOD  PATH
listPets   GET     /pets
removePet  DELETE  /pets/{petId}
2 resources, production at https://pets.example.com/v1.
Taken otherwise than the document says, or left out:
  #/components/securitySchemes: need a secret: store it with \`credentials set pets\`
`;

test('connectors import: --dry-run prints the same as the import and changes nothing', async (t) => {
  const { dataDir, run, soon } = connectorsOf(t);
  const trial = await run(['import', '-', '--slug', 'pets', '--dry-run'], PETS);
  assert.deepEqual(trial, { code: 0, stderr: '', stdout: `${RESOURCES}Nothing was changed: pets would be created.\n` });
  const { definition, ...told } = JSON.parse(
    (await run(['import', '-', '--slug', 'pets', '--dry-run', '--json'], PETS)).stdout,
  );
  assert.deepEqual(await runJson(dataDir, 'connectors', 'list'), { connectors: [] });

  const made = await run(['import', '-', '--slug', 'pets'], PETS);
  assert.equal(
    made.stdout,
    `${RESOURCES}pets is created.\nNext: agent-runtime credentials set pets --hosts pets.example.com\n${soon}`,
  );
  const { connectors } = await runJson(dataDir, 'connectors', 'export', 'pets');
  assert.deepEqual(connectors, [definition]);
  const again = JSON.parse((await run(['import', '-', '--slug', 'pets', '--json'], PETS)).stdout);
  assert.deepEqual(again, { ...told, outcome: 'unchanged', dryRun: false, notes: [] });
});

test('connectors import: a later document lists changes, keeping set options', async (t) => {
  const { dataDir, run, soon } = connectorsOf(t);
  await run(['import', '-', '--slug', 'pets', '--name', 'Our pets', '--base-url', 'https://p.example.com'], PETS);
  const [before] = (await runJson(dataDir, 'connectors', 'export', 'pets')).connectors;
  before.resources.listPets.exposeAsTool = true;
  await run(['apply', '-'], { ...before, timeoutMs: 5_000 });
  const { '/pets': list } = PETS.paths;
  const later = { ...PETS, paths: { '/pets': list, '/owners': { get: { operationId: 'listOwners', responses: {} } } } };
  list.get.parameters.push({ name: 'tag', in: 'query', schema: { type: 'string' } });
  const changed = await run(['import', '-', '--slug', 'pets'], JSON.stringify(later));
  assert.equal(
    changed.stdout,
    `RESOURCE    METHOD  PATH
listPets    GET     /pets
listOwners  GET     /owners
2 resources, production at https://p.example.com.
Taken otherwise than the document says, or left out:
  #/paths/~1owners/get: has no example of a successful JSON answer, or one too large; it has no mock
Changes:
  GET /pets: parameters.query.properties.tag is new
  DELETE /pets/{petId} is gone (removePet)
  GET /owners is new (listOwners)
Warning: calls of "removePet" are answered with 404.
pets is changed.
Next: agent-runtime credentials set pets --hosts p.example.com
${soon}`,
  );
  const [after] = (await runJson(dataDir, 'connectors', 'export', 'pets')).connectors;
  assert.deepEqual([after.name, after.timeoutMs, after.resources.listPets.exposeAsTool], ['Our pets', 5_000, true]);
});

test('connectors import: a private API is imported with --allow-private-network', async (t) => {
  const { dataDir, run } = connectorsOf(t);
  const args = ['import', '-', '--slug', 'pets', '--base-url', 'http://10.0.0.7/v1', '--allow-private-network'];
  assert.equal((await run([...args, '10.0.0.0/8', '192.168.0.0/16'], PETS)).code, 0);
  const networks = async () => (await runJson(dataDir, 'connectors', 'export')).connectors[0].allowPrivateNetworks;
  assert.deepEqual(await networks(), ['10.0.0.0/8', '192.168.0.0/16']);
  assert.equal((await run([...args.slice(0, -1)], PETS)).code, 0);
  assert.equal((await networks()).length, 2, 'what was allowed stays');
  await run([...args, '10.0.0.7/32'], PETS);
  assert.deepEqual(await networks(), ['10.0.0.7/32']);
});

test('connectors import: prints fifty lines of each kind, and all with --json', async (t) => {
  const { run } = connectorsOf(t);
  const paths = Object.fromEntries(
    Array.from({ length: 120 }, (_, index) => [`/p${index}`, { get: { operationId: `get${index}`, responses: {} } }]),
  );
  const args = ['import', '-', '--slug', 'pets', '--dry-run'];
  const { stdout } = await run(args, { ...PETS, paths });
  assert.match(stdout, /\nget48 +GET +\/p48\n\.\.\. and 71 more \(--json prints all\)\n120 resources, /);
  const { resources } = JSON.parse((await run([...args, '--json'], { ...PETS, paths })).stdout);
  assert.equal(resources.length, 120);
});

test('connectors: a tenant sees only its own', async (t) => {
  const { dataDir, run } = connectorsOf(t);
  await runJson(dataDir, 'tenants', 'create', 'acme');
  await run(['apply', '-'], connector());
  await run(['apply', '-', '--tenant', 'acme'], connector({ name: 'Of acme' }));
  assert.match((await run(['list', '--tenant', 'acme'])).stdout, /pets +Of acme/);
  await run(['remove', 'pets', '--tenant', 'acme']);
  assert.equal((await runJson(dataDir, 'connectors', 'list')).connectors.length, 1);
  assert.equal((await run(['export', 'pets', '--tenant', 'acme'])).code, 1);
});
