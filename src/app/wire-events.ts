import { DashboardChanges } from '../core/analytics/dashboards/changes/service.ts';
import { DashboardEdits } from '../core/analytics/dashboards/edits/service.ts';
import { DashboardService } from '../core/analytics/dashboards/service.ts';
import type { EventQuota } from '../core/analytics/events/event-quota.ts';
import { Retention } from '../core/analytics/events/retention.ts';
import { EventService } from '../core/analytics/events/service.ts';
import { PeriodicTask } from '../core/base/concurrency/timers.ts';
import type { OpenStores } from './open-stores.ts';

const PRUNE_MS = 3_600_000;

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
  const dashboards = new DashboardService({
    store: dashboardStore,
    metrics: metricCatalog,
    segments,
    definitions,
    agents,
    events,
    audit,
    effects,
    onError: (error, cardId) => log.error({ err: error, cardId }, 'a card could not be rendered'),
  });
  const changeParts = { dashboards: dashboardStore, definitions, audit, effects };
  const dashboardChanges = new DashboardChanges({ store: stores.dashboardChangeStore, ...changeParts });
  const pruning = new PeriodicTask({
    everyMs: PRUNE_MS,
    run: async () => (await maintenance.held('dashboard changes', PRUNE_MS)) && dashboardChanges.prune(),
    onError: (error) => log.error({ err: error }, 'changes of dashboards could not be pruned'),
  });
  return {
    events,
    dashboards,
    dashboardEdits: new DashboardEdits({ dashboards }),
    dashboardChanges,
    close: async () => {
      await pruning.close();
      await retention.close();
    },
  };
}
