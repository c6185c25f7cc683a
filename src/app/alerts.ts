import type { CardPictures } from '../core/analytics/dashboards/pictures.ts';
import type { DashboardService } from '../core/analytics/dashboards/service.ts';
import type { EventService } from '../core/analytics/events/service.ts';
import { DueRunner, type DueRunnerParts } from '../core/base/concurrency/due-runner.ts';
import type { Timers } from '../core/base/concurrency/timers.ts';
import { AlertChanges } from '../core/watch/alerts/changes.ts';
import { AlertChecker } from '../core/watch/alerts/checker.ts';
import { AlertService } from '../core/watch/alerts/service.ts';
import type { StoredAlert } from '../core/watch/alerts/store.ts';
import type { Deliveries } from '../core/watch/deliveries/deliveries.ts';
import { DigestSender } from '../core/watch/digests/sender.ts';
import { DigestService } from '../core/watch/digests/service.ts';
import type { DigestDefinition, StoredDigest } from '../core/watch/digests/store.ts';
import type { Scheduled, ScheduledKind } from '../core/watch/schedules/store.ts';
import type { OpenStores } from './open-stores.ts';

interface AlertDependencies {
  events: EventService;
  dashboards: DashboardService;
  pictures: CardPictures;
  deliveries: Deliveries;
  timers?: Timers;
}

/** Interactive questions come first. */
const CHECKS_AT_ONCE = 2;

export function openAlerts(
  stores: OpenStores,
  { events, dashboards, pictures, deliveries, timers }: AlertDependencies,
) {
  const { config, alertStore: store, digestStore, annotations, audit, tenants, outbox, log, effects } = stores;
  const { definitions, runner, maintenance, leavers } = stores;
  /** Runs what is due, but for items whose maker has left. */
  const runnerOf = <Item extends Scheduled>(
    kind: ScheduledKind,
    source: DueRunnerParts<Item>['source'],
    { concurrency, run }: Pick<DueRunnerParts<Item>, 'concurrency' | 'run'>,
  ) =>
    new DueRunner<Item>({
      source,
      run: async (item, signal) => {
        if (!(await leavers.endIfLeft(kind, item))) await run(item, signal);
      },
      ...(!runner.isAlone && { held: (everyMs) => maintenance.held(`${kind}s`, everyMs) }),
      ...{ concurrency, tenants, effects, timers },
      onError: (error, item) =>
        log.error(
          { err: error, ...(item && { [`${kind}Id`]: item.id }) },
          item ? `${kind}: a run failed` : `due ${kind}s could not be read`,
        ),
    });
  const portalUrl = (path: string) =>
    config.publicUrl === undefined ? null : new URL(path, baseOf(config.publicUrl)).href;
  const changes = new AlertChanges({
    store,
    outbox,
    onError: (error) => log.error({ err: error }, 'changes of alerts could not be recorded as events'),
  });
  const checker = new AlertChecker({
    store,
    events,
    dashboards,
    deliveries,
    effects,
    portalUrl,
    onChange: () => changes.wake(),
    onError: (error, alertId) => log.error({ err: error, alertId }, 'a check failed'),
  });
  const alertRunner = runnerOf<StoredAlert>('alert', store, {
    concurrency: CHECKS_AT_ONCE,
    run: (alert, signal) => checker.check(alert, signal),
  });
  const sender = new DigestSender({
    store: digestStore,
    dashboards,
    pictures,
    annotations,
    deliveries,
    effects,
    urlOf: ({ cards }: DigestDefinition) =>
      portalUrl('tabId' in cards ? `?tab=${encodeURIComponent(cards.tabId)}` : '.'),
    onError: (error, digestId) => log.error({ err: error, digestId }, 'a digest could not be made'),
  });
  const digestRunner = runnerOf<StoredDigest>('digest', digestStore, {
    concurrency: 1,
    run: (digest, signal) => sender.send(digest, signal),
  });
  changes.wake();
  runner.onTakeover(async () => changes.wake());
  alertRunner.wake();
  digestRunner.wake();
  return {
    alerts: new AlertService({
      store,
      definitions,
      checker,
      events,
      dashboards,
      deliveries,
      audit,
      effects,
      wake: () => {
        changes.wake();
        alertRunner.wake();
      },
      recorded: () => changes.settled(),
    }),
    digests: new DigestService({
      store: digestStore,
      sender,
      dashboards,
      deliveries,
      audit,
      effects,
      wake: () => digestRunner.wake(),
    }),
    /** Resolves once no check and no digest is under way. */
    settled: async () => {
      await Promise.all([alertRunner.settled(), digestRunner.settled()]);
      await changes.settled();
    },
    close: async () => {
      await Promise.all([alertRunner.close(), digestRunner.close()]);
      await changes.close();
    },
  };
}

function baseOf(publicUrl: string): string {
  return publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
}
