import { DashboardService } from '../core/analytics/dashboards/service.ts';
import type { EventQuota } from '../core/analytics/events/event-quota.ts';
import { EventRecorder } from '../core/analytics/events/recorder.ts';
import { Retention } from '../core/analytics/events/retention.ts';
import { EventService } from '../core/analytics/events/service.ts';
import type { Foundation } from './foundation.ts';

export function openEvents(foundation: Foundation, quota: EventQuota) {
  const { agents, audit, tenantStore, eventStore, dashboardStore, reviewStore, metrics, log, effects } = foundation;
  const { metricCatalog, definitions, annotations, segments, executionStore, maintenance } = foundation;
  const events = new EventService({
    store: eventStore,
    agents,
    dashboards: dashboardStore,
    reviews: reviewStore,
    metrics: metricCatalog,
    segments,
    executions: executionStore,
    annotations,
    effects,
    onIngest: (counts) => metrics.recordIngest(counts),
    quota,
    audit,
  });
  const retention = new Retention({
    tenants: tenantStore,
    store: eventStore,
    effects,
    maintenance,
    onExpired: (tenantId, expired) => log.info({ tenantId, events: expired }, 'events past their retention removed'),
    onError: (error) => log.error({ err: error }, 'retention'),
  });
  return {
    events,
    dashboards: new DashboardService({
      store: dashboardStore,
      definitions,
      agents,
      events,
      audit,
      effects,
      onError: (error, cardId) => log.error({ err: error, cardId }, 'a card could not be rendered'),
    }),
    close: () => retention.stop(),
  };
}

/** A recorder of events that need not survive a crash. */
export function openRecorder({ eventStore, tenants, metrics, log, effects }: Foundation): EventRecorder {
  return new EventRecorder({
    events: eventStore,
    tenants,
    effects,
    onError: (error) => log.error({ err: error }, 'events of the runtime could not be recorded'),
    onLost: () => metrics.lostRuntimeEvents.add(1),
  });
}
