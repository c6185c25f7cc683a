import { type AuditLog, actorOf } from '../audit/log.ts';
import { planSegment } from '../events/questions/plan-segment.ts';
import type { DefinedSegment, ListedSegment, SegmentSource } from '../events/questions/segments.ts';
import { formatUtc } from '../events/time.ts';
import { withoutUndefined } from '../json-schema/values.ts';
import { unknownName } from '../shared/alike-names.ts';
import { type Caller, requireScope } from '../shared/caller.ts';
import type { Effects } from '../shared/effects.ts';
import { invalid, notFound, RuntimeError, tenantRemoved, tooMany } from '../shared/errors.ts';
import { type Page, pageOf } from '../shared/paging.ts';
import { searchByName } from '../shared/text-search.ts';
import type { CreateSegment, SegmentsQuery, ShownSegment, UpdateSegment } from './schema.ts';
import type { SegmentStore, StoredSegment } from './store.ts';

export interface SegmentParts {
  store: SegmentStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Pick<Effects, 'now'>;
}

const MAX_SEGMENTS = 1_000;
const REMEDY = 'POST one to /api/v1/runtime/observability/segments';

/** Saved filters over who did what when. */
export class SegmentService implements SegmentSource {
  private readonly parts: SegmentParts;

  constructor(parts: SegmentParts) {
    this.parts = parts;
  }

  /** By name. */
  async list(caller: Caller, { search, ...page }: SegmentsQuery): Promise<Page<ShownSegment>> {
    requireScope(caller, 'metrics:read');
    const all = await this.parts.store.list(caller.tenantId);
    const found = search === undefined ? all : searchByName(all, namesOf, search);
    const { items, total } = pageOf(found, page);
    return { items: items.map(shown), total };
  }

  async get(caller: Caller, name: string): Promise<ShownSegment> {
    requireScope(caller, 'metrics:read');
    return shown(await this.named(caller.tenantId, name));
  }

  /** Throws `conflict` when the segment is there. */
  async create(caller: Caller, segment: CreateSegment): Promise<ShownSegment> {
    requireScope(caller, 'metrics:write');
    const { store, effects } = this.parts;
    const all = await store.list(caller.tenantId);
    if (all.some(({ name }) => name === segment.name)) {
      const name = JSON.stringify(segment.name);
      throw new RuntimeError('conflict', `There is a segment ${name} already. PATCH it to change it.`);
    }
    if (all.length >= MAX_SEGMENTS) {
      throw tooMany('segments', MAX_SEGMENTS);
    }
    const now = effects.now();
    const created = { ...segment, createdAt: now, createdBy: actorOf(caller).label, updatedAt: now };
    return this.put(caller, created, 'segment.created');
  }

  async update(caller: Caller, name: string, changes: UpdateSegment): Promise<ShownSegment> {
    requireScope(caller, 'metrics:write');
    const before = await this.named(caller.tenantId, name);
    const members = Object.entries({ ...before, ...withoutUndefined(changes) }).filter(([, value]) => value !== null);
    const changed = {
      ...(Object.fromEntries(members) as unknown as StoredSegment),
      updatedAt: this.parts.effects.now(),
    };
    return this.put(caller, changed, 'segment.changed');
  }

  async remove(caller: Caller, name: string): Promise<void> {
    requireScope(caller, 'metrics:write');
    const { store, audit } = this.parts;
    if (!(await store.remove(caller.tenantId, name))) throw await this.unknown(caller.tenantId, name);
    await audit.record(caller, caller.tenantId, 'segment.removed', name);
  }

  async resolve(tenantId: string, reference: string): Promise<DefinedSegment> {
    const { store } = this.parts;
    const found = await store.find(tenantId, reference);
    if (found) return { name: found.name, by: found.by, conditions: found.conditions };
    const names = (await store.list(tenantId)).map(({ name }) => name);
    throw invalid(`segment: ${unknownName('segment', reference, names, REMEDY)}`);
  }

  async listed(tenantId: string, search?: string): Promise<ListedSegment[]> {
    const all = await this.parts.store.list(tenantId);
    const found = search === undefined ? all : searchByName(all, namesOf, search);
    return found.map(({ name, by, title }) => ({ name, by, ...(title === undefined ? {} : { title }) }));
  }

  private async put(caller: Caller, segment: StoredSegment, action: string): Promise<ShownSegment> {
    const { store, audit, effects } = this.parts;
    planSegment(segment, { now: effects.now(), timezone: caller.timezone });
    if ((await store.put(caller.tenantId, segment)) === 'unknown tenant') {
      throw tenantRemoved();
    }
    await audit.record(caller, caller.tenantId, action, segment.name);
    return shown(segment);
  }

  private async named(tenantId: string, name: string): Promise<StoredSegment> {
    const found = await this.parts.store.find(tenantId, name);
    if (found) return found;
    throw await this.unknown(tenantId, name);
  }

  private async unknown(tenantId: string, name: string): Promise<RuntimeError> {
    const names = (await this.parts.store.list(tenantId)).map((segment) => segment.name);
    const text = unknownName('segment', name, names, REMEDY);
    return notFound(`${text[0]!.toUpperCase()}${text.slice(1)}.`);
  }
}

function namesOf({ name, title = '' }: StoredSegment): string {
  return `${name}\n${title}`;
}

function shown({ createdAt, updatedAt, ...segment }: StoredSegment): ShownSegment {
  return { ...segment, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
}
