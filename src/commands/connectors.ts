import type { Command } from 'commander';
import { CONNECTOR_EXAMPLE } from '../core/agents/connectors/example.ts';
import { oneLine } from '../core/base/shared/text.ts';
import type { ImportOptions } from './connectors/import.ts';
import { type TenantOptions, withTenant } from './input/options.ts';
import { addApplyCommand, addExampleCommand, addListCommand, addRemoveCommand } from './input/tenant-commands.ts';
import { print } from './presentation/output.ts';
import { administerTenant } from './server/administer.ts';

/* Loaded when an action runs: the help needs neither schemas nor the reader of YAML. */
const loadImport = () => import('./connectors/import.ts');
const loadShown = () => import('../core/agents/connectors/definition/shown.ts');

export function register(program: Command): void {
  const connectors = program
    .command('connectors')
    .description('define, import, list and remove the external APIs that a tenant calls');

  addApplyCommand(connectors, {
    key: 'slug',
    apply: (state, tenantId, definitions) => state.connectors.apply(tenantId, definitions, null),
    nextSteps: async (state, tenantId, applied) => {
      const { nextSteps } = await loadImport();
      return nextSteps(applied, await state.connectors.list(tenantId));
    },
  });

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
      administerTenant(options, async (tenant, state, config) => {
        const { importConnector } = await loadImport();
        await importConnector(file, options, tenant, state, config);
      }),
    );

  addListCommand(connectors, {
    description: 'list connectors',
    member: 'connectors',
    list: async (state, tenantId) => {
      const { connectorSummary } = await loadShown();
      return (await state.connectors.list(tenantId)).map(connectorSummary);
    },
    header: ['SLUG', 'NAME', 'ENVIRONMENTS', 'RESOURCES', 'CHANGED'],
    row: ({ slug, name, environments, resources, updatedAt }) => [
      slug,
      oneLine(name),
      environments.join(','),
      String(resources),
      updatedAt,
    ],
  });

  withTenant(
    connectors
      .command('export [slug]')
      .description('print the definitions of all connectors, or of one, as `apply` takes them'),
  ).action((slug: string | undefined, options: TenantOptions) =>
    administerTenant(options, async ({ id }, state) => {
      const found = slug === undefined ? await state.connectors.list(id) : [await state.connectors.get(id, slug)];
      const { connectorDefinitionOf } = await loadShown();
      const definitions = { version: 1, connectors: found.map(connectorDefinitionOf) };
      print(options, definitions, [JSON.stringify(definitions, null, 2)]);
    }),
  );

  addRemoveCommand(connectors, {
    argument: 'slug',
    description: 'remove a connector',
    remove: (state, tenantId, slug) => state.connectors.remove(tenantId, slug, null),
  });

  addExampleCommand(
    connectors,
    "print a definition to begin with: two of GitHub's public endpoints, which need no key",
    CONNECTOR_EXAMPLE,
  );
}
