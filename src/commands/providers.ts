import type { Command } from 'commander';
import type { AppliedProvider, ShownProvider } from '../core/providers/service.ts';
import { alignedTable } from '../core/shared/text.ts';
import { readInput } from './input/input.ts';
import { parseJson } from './input/json.ts';
import { administer, print, type TenantOptions, usedSoon, withTenant } from './input/options.ts';

/** A model on this machine, as Ollama serves it. */
const EXAMPLE = {
  name: 'local',
  provider: 'custom',
  baseUrl: 'http://localhost:11434/v1',
  allowPrivateNetwork: true,
  defaults: { temperature: 0.2, maxTokens: 1_024 },
  capabilities: { images: 'none', files: false, thinking: 'none' },
  price: { inputPerMillion: 0, outputPerMillion: 0 },
  timeout: 120,
};

export function register(program: Command): void {
  const providers = program.command('providers').description('define, list and remove LLM providers of a tenant');

  withTenant(
    providers.command('apply <file>').description('install the definitions of a JSON file; - reads standard input'),
  )
    .addHelpText(
      'after',
      '\nA definition takes the place of the one of its name; others stay. `providers example` prints one.',
    )
    .action((file: string, options: TenantOptions) =>
      administer(options, async ({ auth, providers }, { dataDir }) => {
        const { id, name } = await auth.tenant(options.tenant);
        const applied = await providers.apply(id, parseJson(await readInput(file), file));
        print(options, { tenant: name, providers: applied }, describe(applied, dataDir));
      }),
    );

  withTenant(providers.command('list').description('list definitions, without their secrets')).action(
    (options: TenantOptions) =>
      administer(options, async ({ auth, providers }) => {
        const { id } = await auth.tenant(options.tenant);
        const found = await providers.list(id);
        print(options, { providers: found }, table(found));
      }),
  );

  withTenant(providers.command('remove <name>').description('remove a definition')).action(
    (name: string, options: TenantOptions) =>
      administer(options, async ({ auth, providers }) => {
        const tenant = await auth.tenant(options.tenant);
        await providers.remove(tenant.id, name);
        print(options, { tenant: tenant.name, removed: name }, [`Removed ${name}.`]);
      }),
  );

  providers
    .command('example')
    .description('print a definition to begin with: a model on this machine, served by Ollama')
    .option('--json', 'print one JSON object, for scripts')
    .action((options: { json?: boolean }) => print(options, EXAMPLE, [JSON.stringify(EXAMPLE, null, 2)]));
}

function describe(applied: AppliedProvider[], dataDir: string): string[] {
  const lines = alignedTable(
    ['NAME', 'OUTCOME'],
    applied.map(({ name, outcome }) => [name, outcome]),
  );
  const isChanged = applied.some(({ outcome }) => outcome !== 'unchanged');
  return [...lines, ...(isChanged ? [usedSoon(dataDir)] : [])];
}

function table(providers: ShownProvider[]): string[] {
  const rows = providers.map(({ name, provider, baseUrl, apiKey, fallbacks, updatedAt }) => [
    name,
    provider,
    baseUrl ?? '-',
    apiKey === undefined ? '-' : apiKey === 'set' ? 'set' : `env ${apiKey.env}`,
    fallbacks.map((one) => one.providerName ?? one.provider).join(',') || '-',
    updatedAt,
  ]);
  return alignedTable(['NAME', 'PROVIDER', 'BASE URL', 'KEY', 'FALLBACKS', 'CHANGED'], rows);
}
