import type { Command } from 'commander';
import type { ConnectorDefinition } from '../core/connectors/definition/members.ts';
import {
  type AppliedConnector,
  type ConnectorSummary,
  definitionOf,
  summaryOf,
} from '../core/connectors/definition/shown.ts';
import { alignedTable, oneLine } from '../core/shared/text.ts';
import { CONNECTOR_EXAMPLE } from './connector-files/example.ts';
import { type ImportOptions, importConnector, nextSteps } from './connector-files/import.ts';
import { readInput } from './input/input.ts';
import { parseJson } from './input/json.ts';
import { administer, print, type TenantOptions, usedSoon, withTenant } from './input/options.ts';

export function register(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('define, import, list and remove the external APIs that a tenant calls');

  withTenant(
    connectors.command('apply <file>').description('install the definitions of a JSON file; - reads standard input'),
  )
    .addHelpText(
      'after',
      '\nA definition takes the place of the one of its slug; others stay. `connectors example` prints one.',
    )
    .action((file: string, options: TenantOptions) =>
      administer(options, async ({ auth, connectors }, { dataDir }) => {
        const { id, name } = await auth.tenant(options.tenant);
        const applied = await connectors.apply(id, parseJson(await readInput(file), file), null);
        const definitions = await connectors.list(id);
        print(options, { tenant: name, connectors: applied }, describeApplied(applied, definitions, dataDir));
      }),
    );

  withTenant(
    connectors
      .command('import <file>')
      .description('make a definition of an OpenAPI document, JSON or YAML; - reads standard input'),
  )
    .requiredOption('--slug <slug>', 'what calls name it by; one that is there is brought up to date')
    .option('--name <text>', "what it is called, in place of the document's title")
    .option('--base-url <url>', 'where the API is reached, in place of what the document says')
    .option('--allow-private-network <network...>', 'networks that may be reached although they are not public')
    .option('--dry-run', 'say what would be made, and change nothing')
    .action((file: string, options: ImportOptions) =>
      administer(options, (state, { dataDir }) => importConnector(file, options, state, dataDir)),
    );

  withTenant(connectors.command('list').description('list connectors')).action((options: TenantOptions) =>
    administer(options, async ({ auth, connectors }) => {
      const { id } = await auth.tenant(options.tenant);
      const found = (await connectors.list(id)).map(summaryOf);
      print(options, { connectors: found }, table(found));
    }),
  );

  withTenant(
    connectors
      .command('export [slug]')
      .description('print the definitions of all connectors, or of one, as `apply` takes them'),
  ).action((slug: string | undefined, options: TenantOptions) =>
    administer(options, async ({ auth, connectors }) => {
      const { id } = await auth.tenant(options.tenant);
      const found = slug === undefined ? await connectors.list(id) : [await connectors.get(id, slug)];
      const definitions = { version: 1, connectors: found.map(definitionOf) };
      print(options, definitions, [JSON.stringify(definitions, null, 2)]);
    }),
  );

  withTenant(connectors.command('remove <slug>').description('remove a connector')).action(
    (slug: string, options: TenantOptions) =>
      administer(options, async ({ auth, connectors }) => {
        const tenant = await auth.tenant(options.tenant);
        await connectors.remove(tenant.id, slug, null);
        print(options, { tenant: tenant.name, removed: slug }, [`Removed ${slug}.`]);
      }),
  );

  connectors
    .command('example')
    .description("print a definition to begin with: two of GitHub's public endpoints, which need no key")
    .option('--json', 'print one JSON object, for scripts')
    .action((options: { json?: boolean }) =>
      print(options, CONNECTOR_EXAMPLE, [JSON.stringify(CONNECTOR_EXAMPLE, null, 2)]),
    );
}

function describeApplied(applied: AppliedConnector[], definitions: ConnectorDefinition[], dataDir: string): string[] {
  const lines = alignedTable(
    ['SLUG', 'OUTCOME'],
    applied.map(({ slug, outcome }) => [slug, outcome]),
  );
  const isChanged = applied.some(({ outcome }) => outcome !== 'unchanged');
  return [...lines, ...nextSteps(applied, definitions), ...(isChanged ? [usedSoon(dataDir)] : [])];
}

function table(connectors: ConnectorSummary[]): string[] {
  const rows = connectors.map(({ slug, name, environments, resources, updatedAt }) => [
    slug,
    oneLine(name),
    environments.join(','),
    String(resources),
    updatedAt,
  ]);
  return alignedTable(['SLUG', 'NAME', 'ENVIRONMENTS', 'RESOURCES', 'CHANGED'], rows);
}
