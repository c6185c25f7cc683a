import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { requireAllEvents } from '../../base/filters/limits.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, type RuntimeError, tooMany } from '../../base/shared/errors.ts';
import type { Page } from '../../base/shared/paging.ts';
import { oneLine } from '../../base/shared/text.ts';
import { resolveRange } from '../../base/time/dates.ts';
import { formatUtc, parseUtc } from '../../base/time/time.ts';
import type { SeriesAnnotation } from '../events/questions/answer-schema.ts';
import type { Annotation, AnnotationsQuery, CreateAnnotation, UpdateAnnotation } from './schema.ts';
import type { AnnotationStore, StoredAnnotation } from './store.ts';

export interface AnnotationParts {
  store: AnnotationStore;
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const MAX_ANNOTATIONS = 10_000;
/** Beside a series or an explanation. */
const MAX_SHOWN = 20;

/** Notes on times, such as releases, campaigns and outages, which are shown beside numbers. */
export class AnnotationService {
  private readonly parts: AnnotationParts;

  constructor(parts: AnnotationParts) {
    this.parts = parts;
  }

  /** Newest first. Throws `forbidden` within limits, as annotations may tell of events outside. */
  async list(caller: Caller, { dateFrom, dateTo, ...page }: AnnotationsQuery): Promise<Page<Annotation>> {
    requireScope(caller, 'metrics:read');
    requireAllEvents(caller, 'all events of the tenant');
    const range = resolveRange({ dateFrom, dateTo }, { now: this.parts.effects.now(), timezone: caller.timezone });
    const { items, total } = await this.parts.store.list(caller.tenantId, { ...range, ...page });
    return { items: items.map(shown), total };
  }

  /**
   * The newest of the range, for series and explanations. The caller's rights have been checked.
   */
  async between(tenantId: string, from: number, to: number): Promise<SeriesAnnotation[]> {
    const { items } = await this.parts.store.list(tenantId, { from, to, limit: MAX_SHOWN, offset: 0 });
    return items.toReversed().map(({ text, at }) => ({ at: formatUtc(at), text: oneLine(text) }));
  }

  async create(caller: Caller, { text, at }: CreateAnnotation): Promise<Annotation> {
    requireScope(caller, 'metrics:write');
    const { store, audit, effects } = this.parts;
    if ((await store.count(caller.tenantId)) >= MAX_ANNOTATIONS) {
      throw tooMany('annotations', MAX_ANNOTATIONS);
    }
    const now = effects.now();
    const happened = at === undefined ? now : parseUtc(at)!;
    const annotation = { id: effects.newId(), text, at: happened, createdAt: now, createdBy: actorOf(caller).label };
    await store.add(caller.tenantId, annotation);
    await audit.record(caller, caller.tenantId, 'annotation.created', annotation.id);
    return shown(annotation);
  }

  async update(caller: Caller, id: string, { text, at }: UpdateAnnotation): Promise<Annotation> {
    requireScope(caller, 'metrics:write');
    const changes = withoutUndefined({ text, at: at === undefined ? undefined : parseUtc(at)! });
    const changed = await this.parts.store.change(caller.tenantId, id, changes);
    if (!changed) throw unknownAnnotation(id);
    await this.parts.audit.record(caller, caller.tenantId, 'annotation.changed', id);
    return shown(changed);
  }

  async remove(caller: Caller, id: string): Promise<void> {
    requireScope(caller, 'metrics:write');
    if (!(await this.parts.store.remove(caller.tenantId, id))) throw unknownAnnotation(id);
    await this.parts.audit.record(caller, caller.tenantId, 'annotation.removed', id);
  }
}

function shown({ at, createdAt, ...annotation }: StoredAnnotation): Annotation {
  return { ...annotation, at: formatUtc(at), createdAt: formatUtc(createdAt) };
}

function unknownAnnotation(id: string): RuntimeError {
  return notFound(`There is no annotation ${JSON.stringify(id.slice(0, 100))}.`);
}
