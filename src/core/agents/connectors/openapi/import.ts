import type { z } from 'zod';
import { endlessReferences, reachableSchemas } from '../../../base/json-schema/references.ts';
import type { JsonSchema } from '../../../base/json-schema/values.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { parse } from '../../../base/shared/parse.ts';
import type { Auth } from '../definition/environment-schema.ts';
import type { Resource } from '../definition/resource-schema.ts';
import { type ConnectorDefinition, connectorDefinitionSchema } from '../definition/schema.ts';
import { type Addresses, importSecurity, importServers } from './access.ts';
import { changesOfImport, type ImportChange } from './changes.ts';
import { type ImportNote, ImportNotes, noteLine, OpenApiDocument } from './document.ts';
import { operationsOf } from './operations.ts';
import { importResources } from './resources.ts';
import { asObject, own, shortText } from './values.ts';

const MAX_DESCRIPTION = 2_000;
const MAX_NAME = 200;
const MAX_REASONS = 5;

export interface OpenApiImportOptions {
  slug: string;
  name?: string;
  baseUrl?: string;
  allowPrivateNetworks?: string[];
  /** The definition to update; the settings of its operator stay. */
  existing?: ConnectorDefinition;
}

export interface ImportedConnector {
  definition: ConnectorDefinition;
  notes: ImportNote[];
  changes: ImportChange[];
}

/** Deviations become notes. Throws `invalid` for an unusable document. */
export function importOpenApi(document: unknown, options: OpenApiImportOptions): ImportedConnector {
  const { slug, existing } = options;
  const openApi = new OpenApiDocument(document);
  const notes = new ImportNotes();
  const operations = operationsOf(openApi, notes);
  const auth =
    existing?.auth ??
    importSecurity(
      openApi,
      operations.map(({ operation }) => operation),
      notes,
    );
  const secret = auth.type === 'apiKey' ? auth : null;
  const { resources, shared } = importResources(operations, openApi, secret, notes);
  if (Object.keys(resources).length === 0) {
    throw invalid('#/paths: has no operation that can be called', ...reasonsAt('#/paths', notes));
  }
  cutEndlessReferences(shared, notes);
  const schemas = reachableSchemas(resources, (name) => shared.get(name));
  const { schemas: _, ...connector } = existing ?? newConnector(openApi, auth, options, notes);
  const members = {
    ...connector,
    slug,
    ...(options.name !== undefined && { name: options.name }),
    ...(existing && options.baseUrl !== undefined && { environments: withBaseUrl(existing, options.baseUrl) }),
    ...(Object.keys(schemas).length > 0 && { schemas }),
    resources: existing ? withOperatorSettings(resources, existing.resources) : resources,
  };
  // Equal to storage (-0 becomes 0), since the next import compares it.
  const definition = parse(connectorDefinitionSchema, JSON.parse(JSON.stringify(members)));
  return { definition, notes: notes.all(), changes: existing ? changesOfImport(existing, definition) : [] };
}

/** Evaluation of these references would not end. */
function cutEndlessReferences(schemas: ReadonlyMap<string, JsonSchema>, notes: ImportNotes): void {
  for (const { holder, chain } of endlessReferences(schemas)) {
    delete holder.$ref;
    notes.add(`#/components/schemas/${chain.at(-2)}`, 'refers to itself without end; that part of it is left out');
  }
}

type NewConnector = Omit<z.input<typeof connectorDefinitionSchema>, 'resources' | 'slug'>;

function newConnector(
  document: OpenApiDocument,
  auth: Auth,
  options: OpenApiImportOptions,
  notes: ImportNotes,
): NewConnector {
  const { slug, allowPrivateNetworks = [] } = options;
  const info = asObject(own(document.root, 'info'));
  const description = shortText(info.description ?? info.summary, MAX_DESCRIPTION);
  const { production, staging } = addressesOf(document, options, notes);
  const needsSecret = auth.type !== 'none';
  if (needsSecret)
    notes.add('#/components/securitySchemes', `need a secret: store it with \`credentials set ${slug}\``);
  const environment = (baseUrl: string) => ({ baseUrl, ...(needsSecret && { secret: { credential: slug } }) });
  return {
    name: shortText(info.title, MAX_NAME) ?? slug,
    ...(description !== undefined && { description }),
    environments: {
      ...(staging !== undefined && { staging: environment(staging) }),
      ...(production !== undefined && { production: environment(production) }),
    },
    defaultEnvironment: production === undefined ? 'staging' : 'production',
    auth,
    credentials: needsSecret ? [slug] : [],
    allowPrivateNetworks,
  };
}

function addressesOf(document: OpenApiDocument, options: OpenApiImportOptions, notes: ImportNotes): Addresses {
  const { baseUrl, allowPrivateNetworks = [] } = options;
  const servers = importServers(own(document.root, 'servers'), '#/servers', allowPrivateNetworks.length > 0, notes);
  const addresses = { ...servers, ...(baseUrl !== undefined && { production: baseUrl }) };
  if (addresses.production !== undefined || addresses.staging !== undefined) return addresses;
  throw invalid(
    '#/servers: has no address that can be used; name one with --base-url https://api.example.com/v1',
    ...reasonsAt('#/servers', notes),
  );
}

function reasonsAt(pointer: string, notes: ImportNotes): string[] {
  const reasons = notes.all().filter(({ at }) => at.startsWith(pointer));
  return reasons.slice(0, MAX_REASONS).map(noteLine);
}

function withBaseUrl({ environments }: ConnectorDefinition, baseUrl: string): ConnectorDefinition['environments'] {
  const like = environments.production ?? environments.staging;
  return { ...environments, production: { ...like, baseUrl } };
}

/** Keeps the operator's settings, which no document has. */
function withOperatorSettings(
  resources: Record<string, Resource>,
  existing: Record<string, Resource>,
): Record<string, Resource> {
  const updated = Object.entries(resources).map(([slug, resource]) => {
    const known = own(existing, slug) as Resource | undefined;
    if (known === undefined) return [slug, resource] as const;
    const { idempotent, timeoutMs, fallbackResponse, exposeAsTool } = known;
    const settings = Object.entries({ idempotent, timeoutMs, fallbackResponse }).filter(
      ([, value]) => value !== undefined,
    );
    return [slug, { ...resource, ...Object.fromEntries(settings), exposeAsTool }] as const;
  });
  return Object.fromEntries(updated);
}
