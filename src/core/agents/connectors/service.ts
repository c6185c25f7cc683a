import { isDeepStrictEqual } from 'node:util';
import type { PageQuery } from '../../access/auth/schema.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { isHeld, reaches } from '../../base/filters/limits.ts';
import { isObject } from '../../base/json-schema/values.ts';
import { unknownName } from '../../base/shared/alike-names.ts';
import type { Caller, Reader } from '../../base/shared/caller.ts';
import { definitionsIn } from '../../base/shared/definition-file.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid, notFound, nullIfUnknown, type RuntimeError, tenantRemoved } from '../../base/shared/errors.ts';
import { operatorOnly } from '../../base/shared/operator-only.ts';
import { type Page, pageOf } from '../../base/shared/paging.ts';
import { capMessages, parse } from '../../base/shared/parse.ts';
import { ShortCache } from '../../base/shared/short-cache.ts';
import { formatUtc } from '../../base/time/time.ts';
import {
  type ConnectorDefinition,
  connectorDefinitionSchema,
  connectorSlugSchema,
  referencesOf,
} from './definition/schema.ts';
import {
  type AppliedConnector,
  type ConnectorSummary,
  connectorSummary,
  type PutConnector,
  type ShownConnector,
} from './definition/shown.ts';
import { type ExposedResource, exposedResources } from './exposed.ts';
import type { ConnectorStore, CredentialStore, StoredConnector } from './store.ts';

export function connectorDefinitions(input: unknown): ConnectorDefinition[] {
  if (isObject(input) && ('openapi' in input || 'swagger' in input)) {
    throw invalid('input: is an OpenAPI document; `connectors import FILE --slug NAME` makes a definition of it');
  }
  return definitionsIn(input, {
    noun: 'connector',
    schema: connectorDefinitionSchema,
    key: 'slug',
    keySchema: connectorSlugSchema,
  });
}

export function unknownConnector(slugOrName: string, known: readonly { slug: string; name: string }[]): string {
  const names = new Set([...known.map(({ slug }) => slug), ...known.map(({ name }) => name)]);
  return unknownName('connector', slugOrName, [...names], '`connectors apply` installs them');
}

export interface ConnectorParts {
  store: ConnectorStore;
  credentials: Pick<CredentialStore, 'list'>;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

/** A large definition takes megabytes with its compiled forms. */
const MAX_CACHED = 200;

export class ConnectorService {
  private readonly parts: ConnectorParts;
  private readonly cache: ShortCache<StoredConnector>;
  private readonly tools: ShortCache<Tools>;

  constructor(parts: ConnectorParts) {
    this.parts = parts;
    this.cache = new ShortCache(parts.effects.now, MAX_CACHED);
    this.tools = new ShortCache(parts.effects.now, MAX_CACHED);
  }

  /** All or none. Throws `invalid`, also for an operator's member that a user sets. */
  async apply(tenantId: string, input: unknown, by: Caller | null): Promise<AppliedConnector[]> {
    return this.install(tenantId, connectorDefinitions(input), by);
  }

  /** Throws `invalid` with its members as paths. */
  async put(tenantId: string, slug: string, members: PutConnector, by: Caller | null): Promise<AppliedConnector> {
    if (members.slug !== undefined && members.slug !== slug) {
      throw invalid(`slug: must be ${JSON.stringify(slug)}, as it is called here, or be left out`);
    }
    const [applied] = await this.install(tenantId, [parse(connectorDefinitionSchema, { ...members, slug })], by);
    return applied!;
  }

  async preview(tenantId: string, input: unknown): Promise<AppliedConnector[]> {
    return this.outcomes(tenantId, connectorDefinitions(input));
  }

  private async install(tenantId: string, definitions: ConnectorDefinition[], by: Caller | null) {
    if (by !== null) refuseOperatorsMembers(definitions);
    const { store, audit, effects } = this.parts;
    const applied = await this.outcomes(tenantId, definitions);
    const now = effects.now();
    const changes = definitions.filter((_, index) => applied[index]!.outcome !== 'unchanged');
    const put = changes.map((definition) => ({
      slug: definition.slug,
      definition,
      createdBy: by?.userId ?? null,
      createdAt: now,
      updatedAt: now,
    }));
    if ((await store.put(tenantId, put)) === 'unknown tenant') throw tenantRemoved();
    this.cache.expire();
    this.tools.expire();
    for (const { slug, outcome } of applied) {
      if (outcome !== 'unchanged') await audit.record(by, tenantId, 'connector.applied', slug, { outcome });
    }
    return applied;
  }

  private async outcomes(tenantId: string, definitions: ConnectorDefinition[]): Promise<AppliedConnector[]> {
    const { store, credentials } = this.parts;
    // Not the whole list: definitions may have megabytes.
    const stored = await Promise.all(definitions.map(({ slug }) => store.find(tenantId, slug)));
    const existing = new Set((await credentials.list(tenantId)).map(({ name }) => name));
    return definitions.map((definition, index) => ({
      slug: definition.slug,
      outcome: outcomeOf(definition, stored[index] ?? null),
      missingCredentials: definition.credentials.filter((name) => !existing.has(name)),
    }));
  }

  async list(tenantId: string): Promise<ShownConnector[]> {
    return (await this.parts.store.list(tenantId)).map(shownConnector);
  }

  async page(tenantId: string, query: PageQuery): Promise<Page<ConnectorSummary>> {
    const { items, total } = pageOf(await this.parts.store.names(tenantId), query);
    const found = await Promise.all(items.map(({ slug }) => this.parts.store.find(tenantId, slug)));
    // `find` may return another connector with this name.
    const existing = found.flatMap((one, index) => (one?.slug === items[index]?.slug ? [one!] : []));
    return { items: existing.map((one) => connectorSummary(shownConnector(one))), total };
  }

  /** By slug only. Throws `not_found`. */
  async get(tenantId: string, slug: string): Promise<ShownConnector> {
    const found = await this.parts.store.find(tenantId, slug);
    if (found?.slug !== slug) throw await this.unknownSlug(tenantId, slug);
    return shownConnector(found);
  }

  async remove(tenantId: string, slug: string, by: Caller | null): Promise<void> {
    const { store, audit } = this.parts;
    if (!(await store.remove(tenantId, slug))) throw await this.unknownSlug(tenantId, slug);
    this.cache.expire();
    this.tools.expire();
    await audit.record(by, tenantId, 'connector.removed', slug);
  }

  /**
   * Cached for half a second; the same object while unchanged. Throws `not_found`, also outside the
   * limits of the reader.
   */
  async configured(reader: Reader, slugOrName: string): Promise<StoredConnector> {
    const { store } = this.parts;
    const { tenantId } = reader;
    const isKnown = ({ slug }: { slug: string }) => reaches(reader, 'connectors', slug);
    const read = async (before: StoredConnector | undefined) => {
      const found = await store.find(tenantId, slugOrName, before);
      if (found) return found;
      throw notFound('');
    };
    const found = await this.cache.get(`${tenantId}\0${slugOrName}`, read).catch(nullIfUnknown);
    if (found && isKnown(found)) return found;
    const known = (await store.names(tenantId)).filter(isKnown);
    throw notFound(`connector: ${unknownConnector(slugOrName, known)}`);
  }

  /** Cached for up to a second. */
  async exposed(reader: Reader): Promise<readonly ExposedResource[]> {
    const { tenantId } = reader;
    const { resources } = await this.tools.get(tenantId, async (before) => {
      const slugs = await this.parts.store.withTools(tenantId);
      const found = await Promise.all(slugs.map((slug) => this.configured({ tenantId }, slug).catch(nullIfUnknown)));
      const definitions = found.flatMap((one) => (one ? [one.definition] : []));
      const isSame = definitions.every((one, index) => one === before?.definitions[index]);
      if (before && isSame && before.definitions.length === definitions.length) return before;
      return { definitions, resources: exposedResources(definitions) };
    });
    return isHeld(reader, 'connectors')
      ? resources.filter(({ connector }) => reaches(reader, 'connectors', connector))
      : resources;
  }

  private async unknownSlug(tenantId: string, slug: string): Promise<RuntimeError> {
    const slugs = (await this.parts.store.names(tenantId)).map((one) => ({ slug: one.slug, name: one.slug }));
    return notFound(`connector: ${unknownConnector(slug, slugs)}`);
  }
}

interface Tools {
  definitions: ConnectorDefinition[];
  resources: ExposedResource[];
}

function outcomeOf(definition: ConnectorDefinition, stored: StoredConnector | null): AppliedConnector['outcome'] {
  if (stored?.slug !== definition.slug) return 'created';
  // Storage turns -0 into 0.
  const after = JSON.parse(JSON.stringify(definition)) as unknown;
  return isDeepStrictEqual(stored.definition, after) ? 'unchanged' : 'changed';
}

/** Environment variables and private networks are for the operator. Throws `invalid`. */
function refuseOperatorsMembers(definitions: readonly ConnectorDefinition[]): void {
  const problems = definitions.flatMap((definition) => {
    const variables = referencesOf(definition).filter(({ reference }) => 'env' in reference);
    const fields = [
      ...variables.map(({ path }) => `${path.join('.')}.env`),
      ...(definition.allowPrivateNetworks.length > 0 ? ['allowPrivateNetworks'] : []),
    ];
    const label = `connector ${JSON.stringify(definition.slug)}`;
    return fields.map((field) => `${label}: ${operatorOnly(field, 'connectors apply')}`);
  });
  if (problems.length > 0) throw invalid(...capMessages(problems));
}

function shownConnector({ definition, createdAt, updatedAt }: StoredConnector): ShownConnector {
  return { ...definition, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
