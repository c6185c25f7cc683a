import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { isHeld, reaches } from '../../base/filters/limits.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { unknownName } from '../../base/shared/alike-names.ts';
import { type Caller, type Reader, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, invalid, notFound, type RuntimeError, tenantRemoved, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { sentence } from '../../base/shared/text.ts';
import { searchByName } from '../../base/shared/text-search.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { DefinitionBudget } from '../../limits/quotas/definition-budget.ts';
import { planSegment } from '../events/questions/plan-segment.ts';
import type { DefinedSegment, ListedSegment, SegmentSource } from '../events/questions/question.ts';
import { requireEventsWithin } from '../events/questions/within.ts';
import { pageOfKeys, Summaries } from '../metrics/summaries.ts';
import type { CreateSegment, SegmentsQuery, ShownSegment, UpdateSegment } from './schema.ts';
import type { SegmentStore, StoredSegment } from './store.ts';

export interface SegmentParts {
  store: SegmentStore;
  definitions: DefinitionBudget;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
}

const MAX_SEGMENTS = 1_000;
const REMEDY = 'POST one to /api/v1/runtime/observability/segments';

/** Saved filters over who did what when. */
export class SegmentService implements SegmentSource {
  private readonly parts: SegmentParts;
  private readonly summaries: Summaries<StoredSegment, SegmentSummary>;

  constructor(parts: SegmentParts) {
    this.parts = parts;
    const read = (tenantId: string, names: string[]) => parts.store.some(tenantId, names);
    this.summaries = new Summaries({ read, keyOf: ({ name }) => name, summaryOf });
  }

  /** By name. */
  async list(caller: Caller, { search, ...page }: SegmentsQuery): Promise<Page<ShownSegment>> {
    requireScope(caller, 'metrics:read');
    const { tenantId } = caller;
    const isWhole = search === undefined && !isHeld(caller, 'eventNames');
    const found = isWhole ? undefined : await this.listed(caller, search);
    const names = found?.map(({ name }) => name);
    const { items, total } = await pageOfKeys(this.parts.store, tenantId, names, page);
    return { items: items.map(shown), total };
  }

  async get(caller: Caller, name: string): Promise<ShownSegment> {
    requireScope(caller, 'metrics:read');
    const found = await this.named(caller, name);
    requireEventsWithin(caller, found);
    return shown(found);
  }

  /** Throws `conflict` when the segment is there. */
  async create(caller: Caller, segment: CreateSegment): Promise<ShownSegment> {
    requireScope(caller, 'metrics:write');
    const { store, effects } = this.parts;
    const all = await store.stamps(caller.tenantId);
    if (all.some(({ key }) => key === segment.name)) {
      const name = JSON.stringify(segment.name);
      throw conflict(`There is a segment ${name} already. PATCH it to change it.`);
    }
    if (all.length >= MAX_SEGMENTS) {
      throw tooMany('segments', MAX_SEGMENTS);
    }
    const now = effects.now();
    const created = { ...segment, createdAt: now, createdBy: actorOf(caller).label, updatedAt: now };
    return this.put(caller, created, null, 'segment.created');
  }

  async update(caller: Caller, name: string, changes: UpdateSegment): Promise<ShownSegment> {
    requireScope(caller, 'metrics:write');
    const before = await this.named(caller, name);
    const members = Object.entries({ ...before, ...withoutUndefined(changes) }).filter(([, value]) => value !== null);
    const changed = {
      ...(Object.fromEntries(members) as unknown as StoredSegment),
      updatedAt: this.parts.effects.now(),
    };
    return this.put(caller, changed, before, 'segment.changed');
  }

  async remove(caller: Caller, name: string): Promise<void> {
    requireScope(caller, 'metrics:write');
    const { store, audit } = this.parts;
    if (!(await store.remove(caller.tenantId, name))) throw await this.unknown(caller, name);
    await audit.record(caller, caller.tenantId, 'segment.removed', name);
  }

  async resolve(reader: Reader, reference: string): Promise<DefinedSegment> {
    const found = await this.parts.store.find(reader.tenantId, reference);
    requireEventsWithin(reader, found);
    if (found) return { name: found.name, by: found.by, conditions: found.conditions };
    throw invalid(`segment: ${unknownName('segment', reference, await this.names(reader), REMEDY)}`);
  }

  async listed(reader: Reader, search?: string): Promise<ListedSegment[]> {
    const within = (await this.summariesOf(reader)).map(({ listed }) => listed);
    return search === undefined ? within : searchByName(within, namesOf, search);
  }

  private async put(
    caller: Caller,
    segment: StoredSegment,
    before: StoredSegment | null,
    action: string,
  ): Promise<ShownSegment> {
    const { store, definitions, audit, effects } = this.parts;
    planSegment(segment, { now: effects.now(), timezone: caller.timezone });
    const put = () => store.put(caller.tenantId, segment);
    if ((await definitions.within(caller.tenantId, { before, after: segment }, put)) === 'unknown tenant') {
      throw tenantRemoved();
    }
    this.summaries.forget(caller.tenantId, segment.name);
    await audit.record(caller, caller.tenantId, action, segment.name);
    return shown(segment);
  }

  private async named(reader: Reader, name: string): Promise<StoredSegment> {
    const found = await this.parts.store.find(reader.tenantId, name);
    if (found) return found;
    throw await this.unknown(reader, name);
  }

  private async summariesOf(reader: Reader): Promise<SegmentSummary[]> {
    const { tenantId } = reader;
    const all = await this.summaries.of(tenantId, await this.parts.store.stamps(tenantId));
    if (!isHeld(reader, 'eventNames')) return all;
    return all.filter(({ eventNames }) => eventNames.every((name) => reaches(reader, 'eventNames', name)));
  }

  private async names(reader: Reader): Promise<string[]> {
    if (isHeld(reader, 'eventNames')) return (await this.summariesOf(reader)).map(({ listed }) => listed.name);
    return (await this.parts.store.stamps(reader.tenantId)).map(({ key }) => key);
  }

  private async unknown(reader: Reader, name: string): Promise<RuntimeError> {
    return notFound(sentence(unknownName('segment', name, await this.names(reader), REMEDY)));
  }
}

interface SegmentSummary {
  listed: ListedSegment;
  /** The events of its conditions. */
  eventNames: string[];
}

function summaryOf({ name, by, title, conditions }: StoredSegment): SegmentSummary {
  return {
    listed: { name, by, ...(title === undefined ? {} : { title }) },
    eventNames: conditions.map(({ eventName }) => eventName),
  };
}

function namesOf({ name, title = '' }: ListedSegment): string {
  return `${name}\n${title}`;
}

function shown({ createdAt, updatedAt, ...segment }: StoredSegment): ShownSegment {
  return { ...segment, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
