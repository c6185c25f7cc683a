import type { EventService } from '../core/analytics/events/service.ts';
import { SampleData } from '../core/analytics/first-hour/sample-data.ts';
import { FirstHour } from '../core/analytics/first-hour/service.ts';
import type { OpenStores } from './open-stores.ts';

export function openFirstHour(stores: OpenStores, events: EventService) {
  const { firstHourStore: store, eventStore, dashboardStore: dashboards, effects } = stores;
  const { agents, audit, metricDefinitions, log } = stores;
  return {
    firstHour: new FirstHour({ store, events: eventStore, dashboards, effects }),
    sampleData: new SampleData({
      ...{ store, eventStore, events, dashboards, agents, audit, effects, metrics: metricDefinitions },
      content: async () => (await import('../demo/sample.ts')).sampleContent,
      onError: (error) => log.error({ err: error }, 'sample data that could not be loaded is left'),
    }),
  };
}
