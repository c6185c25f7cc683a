import { isDeepStrictEqual } from 'node:util';
import type { PageQuery } from '../../access/auth/schema.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { isHeld, reaches } from '../../base/filters/limits.ts';
import { isObject } from '../../base/json-schema/values.ts';
import { unknownName } from '../../base/shared/alike-names.ts';
import type { Caller, Reader } from '../../base/shared/caller.ts';
import { definitionsIn } from '../../base/shared/definition-file.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { invalid, notFound, nullIfUnknown, RuntimeError, tenantRemoved } from '../../base/shared/errors.ts';
import { type Page, pageOf } from '../../base/shared/paging.ts';
import { capMessages, parse } from '../../base/shared/parse.ts';
import { ShortCache } from '../../base/shared/short-cache.ts';
import { requireVersion } from '../../base/shared/versions.ts';
import { formatUtc } from '../../base/time/time.ts';
import { problemsOfOperatorsMembers } from './definition/operator-members.ts';
import { type ConnectorDefinition, connectorDefinitionSchema, connectorSlugSchema } from './definition/schema.ts';
import {
  type AppliedConnector,
  type AppliedConnectorVersion,
  type ConnectorSummary,
  connectorSummary,
  connectorVersion,
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

/** Conditions on the stored one: its version, or that there is none (`If-None-Match: *`). */
export interface ExpectedConnector {
  version?: string | undefined;
  absent?: boolean;
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

  /** Throws `invalid` with its members as paths, and `stale`. */
  async put(
    tenantId: string,
    slug: string,
    members: PutConnector,
    by: Caller,
    expected: ExpectedConnector = {},
  ): Promise<AppliedConnectorVersion> {
    if (members.slug !== undefined && members.slug !== slug) {
      throw invalid(`slug: must be ${JSON.stringify(slug)}, as it is called here, or be left out`);
    }
    const { store, audit, effects } = this.parts;
    const definition = parse(connectorDefinitionSchema, { ...members, slug });
    refuseOperatorsMembers([definition]);
    // Optimistic concurrency: decides again when the connector has changed in between.
    for (;;) {
      const seen = await this.bySlug(tenantId, slug);
      requireExpected(slug, seen, expected);
      const [applied] = await this.outcomes(tenantId, [definition], [seen]);
      const { outcome } = applied!;
      const now = effects.now();
      const before = seen ?? { createdBy: by.userId ?? null, createdAt: now, updatedAt: now - 1 };
      const updatedAt = outcome === 'unchanged' ? before.updatedAt : Math.max(now, before.updatedAt + 1);
      if (outcome !== 'unchanged') {
        const result = await store.replace(tenantId, { ...before, slug, definition, updatedAt }, seen);
        if (result === 'unknown tenant') throw tenantRemoved();
        if (result === 'stale') continue;
        this.forget();
        await audit.record(by, tenantId, 'connector.applied', slug, { outcome });
      }
      return { ...applied!, createdAt: formatUtc(before.createdAt), updatedAt: formatUtc(updatedAt) };
    }
  }

  async preview(tenantId: string, input: unknown): Promise<AppliedConnector[]> {
    return this.outcomes(tenantId, connectorDefinitions(input));
  }

  private async install(tenantId: string, definitions: ConnectorDefinition[], by: Caller | null) {
    if (by) refuseOperatorsMembers(definitions);
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
    this.forget();
    for (const { slug, outcome } of applied) {
      if (outcome !== 'unchanged') await audit.record(by, tenantId, 'connector.applied', slug, { outcome });
    }
    return applied;
  }

  /** `known`: the stored ones, if they have been read. */
  private async outcomes(
    tenantId: string,
    definitions: ConnectorDefinition[],
    known?: readonly (StoredConnector | null)[],
  ): Promise<AppliedConnector[]> {
    // Not the whole list: definitions may have megabytes.
    const stored = known ?? (await Promise.all(definitions.map(({ slug }) => this.bySlug(tenantId, slug))));
    const existing = new Set((await this.parts.credentials.list(tenantId)).map(({ name }) => name));
    return definitions.map((definition, index) => ({
      slug: definition.slug,
      outcome: outcomeOf(definition, stored[index]!),
      missingCredentials: definition.credentials.filter((name) => !existing.has(name)),
    }));
  }

  async list(tenantId: string): Promise<ShownConnector[]> {
    return (await this.parts.store.list(tenantId)).map(shownConnector);
  }

  async page(tenantId: string, query: PageQuery): Promise<Page<ConnectorSummary>> {
    const { items, total } = pageOf(await this.parts.store.names(tenantId), query);
    const found = await Promise.all(items.map(({ slug }) => this.bySlug(tenantId, slug)));
    const existing = found.filter((one) => one !== null);
    return { items: existing.map((one) => connectorSummary(shownConnector(one))), total };
  }

  /** By slug only. Throws `not_found`. */
  async get(tenantId: string, slug: string): Promise<ShownConnector> {
    const found = await this.bySlug(tenantId, slug);
    if (!found) throw await this.unknownSlug(tenantId, slug);
    return shownConnector(found);
  }

  async remove(tenantId: string, slug: string, by: Caller | null): Promise<void> {
    const { store, audit } = this.parts;
    if (!(await store.remove(tenantId, slug))) throw await this.unknownSlug(tenantId, slug);
    this.forget();
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

  /** `find` of the store may return another connector with this name. */
  private async bySlug(tenantId: string, slug: string): Promise<StoredConnector | null> {
    const found = await this.parts.store.find(tenantId, slug);
    return found?.slug === slug ? found : null;
  }

  private forget(): void {
    this.cache.expire();
    this.tools.expire();
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

/** Environment variables and private networks are for the operator. Throws `invalid`. */
function refuseOperatorsMembers(definitions: readonly ConnectorDefinition[]): void {
  const problems = problemsOfOperatorsMembers(definitions);
  if (problems.length > 0) throw invalid(...capMessages(problems));
}

function outcomeOf(definition: ConnectorDefinition, stored: StoredConnector | null): AppliedConnector['outcome'] {
  if (!stored) return 'created';
  // Storage turns -0 into 0.
  const after = JSON.parse(JSON.stringify(definition)) as unknown;
  return isDeepStrictEqual(stored.definition, after) ? 'unchanged' : 'changed';
}

function requireExpected(slug: string, seen: StoredConnector | null, expected: ExpectedConnector): void {
  const what = `The connector ${JSON.stringify(slug)}`;
  if (expected.absent && seen) {
    throw new RuntimeError('stale', `${what} exists already; nothing is stored. Choose another slug.`);
  }
  if (expected.version === undefined) return;
  if (!seen) throw new RuntimeError('stale', `${what} was removed in the meantime; nothing of this change is stored.`);
  requireVersion(expected.version, connectorVersion(shownConnector(seen)), what);
}

function shownConnector({ definition, createdAt, updatedAt }: StoredConnector): ShownConnector {
  return { ...definition, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
