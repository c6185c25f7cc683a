import type { State } from '../../app/state.ts';
import type { Config } from '../../config.ts';
import type { Tenant } from '../../core/access/auth/schema.ts';
import { suggestedHosts } from '../../core/agents/connectors/definition/destinations.ts';
import type { ConnectorDefinition } from '../../core/agents/connectors/definition/schema.ts';
import { type AppliedConnector, connectorDefinitionOf } from '../../core/agents/connectors/definition/shown.ts';
import { changeLines, type ImportChange } from '../../core/agents/connectors/openapi/changes.ts';
import { type ImportNote, noteLine } from '../../core/agents/connectors/openapi/document.ts';
import { importOpenApi } from '../../core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../../core/agents/connectors/openapi/parse-document.ts';
import { nullIfUnknown } from '../../core/base/shared/errors.ts';
import { listNames } from '../../core/base/shared/names.ts';
import { alignedTable, counted, oneLine } from '../../core/base/shared/text.ts';
import { inputName, readInput } from '../input/input.ts';
import type { TenantOptions } from '../input/options.ts';
import { currentInvocation } from '../presentation/invocation.ts';
import { print, usedSoon } from '../presentation/output.ts';

export interface ImportOptions extends TenantOptions {
  slug: string;
  name?: string;
  baseUrl?: string;
  allowPrivateNetwork?: string[];
  dryRun?: boolean;
}

const MAX_LINES = 50;

export async function importConnector(
  file: string,
  options: ImportOptions,
  tenant: Tenant,
  { connectors }: State,
  config: Config,
): Promise<void> {
  const { slug, name, baseUrl, allowPrivateNetwork: allowPrivateNetworks, dryRun = false } = options;
  const document = parseDocument(await readInput(file), inputName(file));
  const existing = await connectors.get(tenant.id, slug).then(connectorDefinitionOf, nullIfUnknown);
  const imported = importOpenApi(document, {
    slug,
    ...(name !== undefined && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(allowPrivateNetworks && { allowPrivateNetworks }),
    ...(existing && { existing: { ...existing, ...(allowPrivateNetworks && { allowPrivateNetworks }) } }),
  });
  const { definition, notes, changes } = imported;
  const work = dryRun ? connectors.preview(tenant.id, definition) : connectors.apply(tenant.id, definition, null);
  const [applied] = await work;
  const { outcome, missingCredentials } = applied!;
  const report = { slug, outcome, dryRun, resources: resourcesOf(definition), notes, changes, missingCredentials };
  print(
    options,
    { tenant: tenant.name, ...report, ...(dryRun && { definition }) },
    describe({ ...report, definition }, config),
  );
}

interface ImportReport extends AppliedConnector {
  dryRun: boolean;
  definition: ConnectorDefinition;
  resources: { slug: string; method: string; path: string }[];
  notes: ImportNote[];
  changes: ImportChange[];
}

function resourcesOf({ resources }: ConnectorDefinition): ImportReport['resources'] {
  return Object.entries(resources).map(([slug, { method, path }]) => ({ slug, method, path }));
}

function describe(
  { dryRun, definition, resources, notes, changes, ...applied }: ImportReport,
  config: Config,
): string[] {
  const { environments } = definition;
  const { slug, outcome } = applied;
  const rows = resources.map((one) => [one.slug, one.method, one.path]);
  const addresses = Object.entries(environments).map(([name, { baseUrl }]) => `${name} at ${baseUrl}`);
  const gone = changes.filter(({ change, of }) => change === 'removed' && of === 'resource').map(({ name }) => name);
  return [
    ...capped(alignedTable(['RESOURCE', 'METHOD', 'PATH'], rows)),
    `${counted(resources.length, 'resource')}, ${addresses.join(', ')}.`,
    ...section('Taken otherwise than the document says, or left out:', notes.map(noteLine)),
    ...section('Changes:', changeLines(changes)),
    ...(gone.length > 0
      ? [`Warning: calls of ${listNames(gone)} ${dryRun ? 'would be' : 'are'} answered with 404.`]
      : []),
    dryRun ? `Nothing was changed: ${slug} would be ${outcome}.` : `${slug} is ${outcome}.`,
    ...(dryRun ? [] : [...nextSteps([applied], [definition]), ...(outcome === 'unchanged' ? [] : [usedSoon(config)])]),
  ];
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [title, ...capped(lines).map((line) => `  ${oneLine(line)}`)];
}

function capped(lines: string[]): string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `... and ${lines.length - MAX_LINES} more (--json prints all)`];
}

/** `credentials set` commands for missing credentials, with the hosts that they need; notes. */
export function nextSteps(
  applied: Pick<AppliedConnector, 'slug' | 'missingCredentials'>[],
  definitions: readonly ConnectorDefinition[],
): string[] {
  const missing = new Set(applied.flatMap(({ missingCredentials }) => missingCredentials));
  const commands = [...missing].map((name) => {
    const users = definitions.filter(({ credentials }) => credentials.includes(name));
    const hosts = new Set(users.flatMap((definition) => suggestedHosts(definition, name)));
    return `Next: ${currentInvocation().line('credentials')} set ${name} --hosts ${[...hosts].join(',')}`;
  });
  const slugs = applied.map(({ slug }) => slug);
  return [...commands, ...definitions.filter(({ slug }) => slugs.includes(slug)).flatMap(notesOnSecrets)];
}

function notesOnSecrets({ slug, auth, environments }: ConnectorDefinition): string[] {
  return Object.entries(environments)
    .filter(([, environment]) => (environment.auth ?? auth).type !== 'none' && environment.secret === undefined)
    .map(
      ([name]) =>
        `Note: environments.${name} of ${slug} has no secret, so each call must name one (options.credentials), which MCP clients cannot.`,
    );
}
