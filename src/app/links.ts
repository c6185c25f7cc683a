import type { TabPictures } from '../core/analytics/dashboards/links/schema.ts';
import { DashboardLinkService } from '../core/analytics/dashboards/links/service.ts';
import { SharedTabs } from '../core/analytics/dashboards/links/shared-tabs.ts';
import { CardRendering } from '../core/analytics/dashboards/rendering.ts';
import type { DashboardService } from '../core/analytics/dashboards/service.ts';
import type { EventService } from '../core/analytics/events/service.ts';
import type { OpenStores } from './open-stores.ts';

interface LinkDependencies {
  events: EventService;
  dashboards: DashboardService;
  pictures: TabPictures;
}

export function openLinks(stores: OpenStores, { events, dashboards, pictures }: LinkDependencies) {
  const { config, dashboardLinkStore: store, userStore: users, tenants, limits, audit, log, effects } = stores;
  const onError = (error: unknown, cardId: string) =>
    log.error({ err: error, cardId }, 'a card of a shared tab could not be rendered');
  return {
    dashboardLinks: new DashboardLinkService({
      ...{ store, dashboards, users, audit, effects },
      frameOrigins: config.frameOrigins,
    }),
    sharedTabs: new SharedTabs({
      ...{ store, dashboards, pictures, users, tenants, effects },
      rendering: new CardRendering({ events, effects, onError }),
      buckets: limits.buckets('links'),
    }),
  };
}
