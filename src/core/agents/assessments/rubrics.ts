import { isDeepStrictEqual } from 'node:util';
import type { AuditLog } from '../../base/audit/log.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { unknownName } from '../../base/shared/alike-names.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, type RuntimeError, tooMany, unprocessable } from '../../base/shared/errors.ts';
import { pageWithin } from '../../base/shared/paging.ts';
import { sentence } from '../../base/shared/text.ts';
import { requireVersion } from '../../base/shared/versions.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import {
  type CreateRubric,
  type Rubric,
  type RubricDefinition,
  type RubricList,
  type RubricReference,
  type RubricsQuery,
  readReference,
  type UpdateRubric,
} from './rubric-schema.ts';
import type { RubricStore, StoredRubric } from './store.ts';

export interface RubricParts {
  store: RubricStore;
  definitions: DefinitionBudget;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
}

/** Rubrics of a tenant, and versions of one. */
export const MAX_RUBRICS = 500;
const MAX_VERSIONS = 500;
const REMEDY = 'POST one to /api/v1/runtime/v1/observability/rubrics';

/** Named sets of questions. A version never changes, so that its answers keep their meaning. */
export class RubricService {
  private readonly parts: RubricParts;

  constructor(parts: RubricParts) {
    this.parts = parts;
  }

  async list(caller: Caller, { limit, cursor }: RubricsQuery): Promise<RubricList> {
    requireScope(caller, 'reviews:read');
    const { store } = this.parts;
    const heads = await store.heads(caller.tenantId);
    const after = cursor === undefined ? heads : heads.filter(({ name }) => name > cursor);
    const { items } = pageWithin(after, { limit, offset: 0 });
    const rubrics = await store.some(caller.tenantId, items);
    const nextCursor = items.length < after.length ? items.at(-1)!.name : null;
    return { rubrics: rubrics.map(shownRubric), nextCursor, total: heads.length };
  }

  /** Throws `not_found`. */
  async get(caller: Caller, reference: string, version?: number): Promise<Rubric> {
    requireScope(caller, 'reviews:read');
    const named = readReference(reference);
    if (version !== undefined && named.version !== undefined && named.version !== version) {
      throw invalid(`version: is ${version}, but the path asks for ${named.version}; give one of the two`);
    }
    return shownRubric(await this.named(caller.tenantId, { ...named, version: version ?? named.version }));
  }

  /** Throws `conflict` when there is one of that name. */
  async create(caller: Caller, { name, ...definition }: CreateRubric): Promise<Rubric> {
    requireScope(caller, 'reviews:write');
    const heads = await this.parts.store.heads(caller.tenantId);
    if (heads.some((one) => one.name === name)) throw exists(name);
    if (heads.length >= MAX_RUBRICS) throw tooMany('rubrics', MAX_RUBRICS);
    return this.add(caller, { name, version: 1, ...definition }, exists(name));
  }

  /**
   * A new version with these members. Throws `not_found`, and `stale` if the newest is not the
   * version that the caller has read. The version stays the same if nothing changes.
   */
  async update(caller: Caller, name: string, changes: UpdateRubric, read?: string): Promise<Rubric> {
    requireScope(caller, 'reviews:write');
    const latest = await this.named(caller.tenantId, { name, version: undefined });
    requireVersion(read, String(latest.version), `The rubric ${JSON.stringify(name)}`);
    const { title, questions, version } = latest;
    const definition: RubricDefinition = { title, questions, ...withoutUndefined(changes) };
    if (isDeepStrictEqual(definition, { title, questions })) return shownRubric(latest);
    if (version >= MAX_VERSIONS) {
      throw unprocessable(`A rubric has at most ${MAX_VERSIONS} versions. Make one with another name.`);
    }
    return this.add(caller, { name, version: version + 1, ...definition }, changedMeanwhile(name));
  }

  /** Throws `not_found`, naming the nearest rubric or the newest version. */
  async named(tenantId: string, { name, version }: RubricReference): Promise<StoredRubric> {
    const { store } = this.parts;
    const found = await store.find(tenantId, name, version);
    if (found) return found;
    const heads = await store.heads(tenantId);
    const head = heads.find((one) => one.name === name);
    if (head) {
      throw notFound(`The rubric ${JSON.stringify(name)} has no version ${version}; the newest is ${head.version}.`);
    }
    const names = heads.map((one) => one.name);
    throw notFound(sentence(unknownName('rubric', name, names, REMEDY)));
  }

  private async add(
    caller: Caller,
    definition: CreateRubric & { version: number },
    refusal: RuntimeError,
  ): Promise<Rubric> {
    const { store, definitions, audit, effects } = this.parts;
    const { name, version, title, questions } = definition;
    const plain = JSON.parse(JSON.stringify({ title, questions })) as RubricDefinition;
    const rubric = { name, version, ...plain, createdAt: effects.now(), createdBy: caller.label };
    const { tenantId } = caller;
    const add = () => store.add(tenantId, rubric);
    if ((await definitions.within(tenantId, { before: null, after: plain }, add)) === 'conflict') throw refusal;
    const action = version === 1 ? 'rubric.created' : 'rubric.changed';
    await audit.record(caller, tenantId, action, name, { version });
    return shownRubric(rubric);
  }
}

function exists(name: string): RuntimeError {
  return conflict(`There is a rubric ${JSON.stringify(name)} already. PATCH it to make a new version.`);
}

function changedMeanwhile(name: string): RuntimeError {
  return conflict(
    `The rubric ${JSON.stringify(name)} was changed at the same time. Read it again, then send the change again.`,
  );
}

function shownRubric({ createdAt, ...rubric }: StoredRubric): Rubric {
  return { ...rubric, createdAt: formatUtc(createdAt) };
}
