import { DashboardService } from '../core/dashboards/service.ts';
import { Discovery } from '../core/events/discovery.ts';
import { Answering } from '../core/events/questions/answering.ts';
import { InsightService } from '../core/events/questions/insights.ts';
import { Retention } from '../core/events/retention.ts';
import { EventService } from '../core/events/service.ts';
import type { EventQuota } from '../core/quotas/event-quota.ts';
import type { Foundation } from './foundation.ts';

/** Events: how they are stored, queried, shown on dashboards, and removed past their retention. */
export function openEvents(foundation: Foundation, quota: EventQuota) {
  const { agents, audit, tenantStore, eventStore, dashboardStore, reviewStore, metrics, log, effects } = foundation;
  const answering = new Answering(eventStore, effects);
  const discovery = new Discovery(eventStore);
  const dashboards = new DashboardService({ store: dashboardStore, agents, answering, audit, effects });
  const retention = new Retention({
    tenants: tenantStore,
    store: eventStore,
    effects,
    onExpired: (tenantId, events) => log.info({ tenantId, events }, 'events past their retention removed'),
    onError: (error) => log.error({ err: error }, 'retention'),
  });
  return {
    events: new EventService(eventStore, agents, effects, (counts) => metrics.recordIngest(counts), { quota, audit }),
    dashboards,
    insights: new InsightService({ answering, discovery, dashboards, dashboardStore, reviewStore, agents, effects }),
    close: () => retention.stop(),
  };
}
