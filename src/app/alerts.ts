import type { CardPictures } from '../core/analytics/dashboards/pictures.ts';
import type { DashboardService } from '../core/analytics/dashboards/service.ts';
import type { EventService } from '../core/analytics/events/service.ts';
import { DueRunner } from '../core/base/concurrency/due-runner.ts';
import type { MaintenanceTask } from '../core/base/concurrency/maintenance.ts';
import type { Timers } from '../core/base/concurrency/timers.ts';
import { AlertChecker } from '../core/watch/alerts/checker.ts';
import { AlertEvents } from '../core/watch/alerts/events.ts';
import { AlertService } from '../core/watch/alerts/service.ts';
import type { StoredAlert } from '../core/watch/alerts/store.ts';
import type { Deliveries } from '../core/watch/deliveries/deliveries.ts';
import { DigestSender } from '../core/watch/digests/sender.ts';
import { DigestService } from '../core/watch/digests/service.ts';
import type { DigestDefinition, StoredDigest } from '../core/watch/digests/store.ts';
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
  const { config, alertStore: store, digestStore, annotations, audit, tenants, eventStore, log, effects } = stores;
  const { definitions, runner, maintenance, leavers } = stores;
  const heldBy = (task: MaintenanceTask) =>
    runner.isAlone ? {} : { held: (everyMs: number) => maintenance.held(task, everyMs) };
  const portalUrl = (path: string) =>
    config.publicUrl === undefined ? null : new URL(path, baseOf(config.publicUrl)).href;
  const changes = new AlertEvents({
    store,
    events: eventStore,
    tenants,
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
  const alertRunner = new DueRunner<StoredAlert>({
    source: store,
    run: async (alert, signal) => {
      if (!(await leavers.endIfLeft({ kind: 'alert', item: alert }))) await checker.check(alert, signal);
    },
    ...heldBy('alerts'),
    concurrency: CHECKS_AT_ONCE,
    tenants,
    effects,
    timers,
    onError: (error, alert) =>
      log.error(
        { err: error, ...(alert && { alertId: alert.id }) },
        alert ? 'an alert could not be checked' : 'due alerts could not be read',
      ),
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
  const digestRunner = new DueRunner<StoredDigest>({
    source: digestStore,
    run: async (digest, signal) => {
      if (!(await leavers.endIfLeft({ kind: 'digest', item: digest }))) await sender.send(digest, signal);
    },
    ...heldBy('digests'),
    concurrency: 1,
    tenants,
    effects,
    timers,
    onError: (error, digest) =>
      log.error(
        { err: error, ...(digest && { digestId: digest.id }) },
        digest ? 'a digest could not be sent' : 'due digests could not be read',
      ),
  });
  changes.wake();
  runner.takeBack(async () => changes.wake());
  alertRunner.wake();
  digestRunner.wake();
  const wakeAlerts = () => alertRunner.wake();
  const wakeDigests = () => digestRunner.wake();
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
      wake: wakeAlerts,
      onChange: () => changes.wake(),
      recorded: () => changes.idle(),
    }),
    digests: new DigestService({
      store: digestStore,
      sender,
      dashboards,
      deliveries,
      audit,
      effects,
      wake: wakeDigests,
    }),
    /** Resolves once no check and no digest is under way. */
    idle: async () => {
      await Promise.all([alertRunner.idle(), digestRunner.idle()]);
      await changes.idle();
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
