import { DashboardService } from '../core/analytics/dashboards/service.ts';
import type { EventQuota } from '../core/analytics/events/event-quota.ts';
import { Retention } from '../core/analytics/events/retention.ts';
import { EventService } from '../core/analytics/events/service.ts';
import type { OpenStores } from './open-stores.ts';

export function openEvents(stores: OpenStores, quota: EventQuota) {
  const { agents, audit, tenantStore, eventStore, dashboardStore, reviewStore, metrics, log, effects } = stores;
  const { metricCatalog, definitions, annotations, segments, executionStore, maintenance, milestones } = stores;
  const events = new EventService({
    store: eventStore,
    agents,
    dashboards: dashboardStore,
    reviews: reviewStore,
    metrics: metricCatalog,
    segments,
    executions: executionStore,
    annotations,
    onAsked: (tenantId) => milestones.reached(tenantId, 'question'),
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
      metrics: metricCatalog,
      segments,
      definitions,
      agents,
      events,
      audit,
      effects,
      onError: (error, cardId) => log.error({ err: error, cardId }, 'a card could not be rendered'),
    }),
    close: () => retention.close(),
  };
}
