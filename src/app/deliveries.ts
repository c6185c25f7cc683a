import { domainOf } from '../core/base/shared/text.ts';
import { deliveryEvent } from '../core/watch/deliveries/attempt.ts';
import { Deliveries } from '../core/watch/deliveries/deliveries.ts';
import { DirectMail } from '../core/watch/deliveries/direct-mail.ts';
import { DeliveryDispatcher } from '../core/watch/deliveries/dispatcher.ts';
import { DeliveryLimits } from '../core/watch/deliveries/limits.ts';
import { mailSettings, Recipients } from '../core/watch/deliveries/mail.ts';
import { makeSender } from '../senders/index.ts';
import type { OpenStores } from './open-stores.ts';

/**
 * The dispatcher starts with the first delivery, or immediately where another process may have left
 * some.
 */
export async function openDeliveries(stores: OpenStores) {
  const { config, deliveryStore: store, sealingKeys, tenants, runner, outbox, metrics, log, effects } = stores;
  const { quotas: settings, limits, userStore: users } = stores;
  const mail = mailSettings(config);
  const ownDomains = mail === null ? [] : [domainOf(mail.from.address)];
  const domains = config.mailDomains.length > 0 ? config.mailDomains : ownDomains;
  const recipients = new Recipients({ users, domains });
  const sender = makeSender({ mail, networks: config.alertNetworks });
  const deliveryLimits = new DeliveryLimits({ store, settings, tests: limits.buckets('tests'), effects });
  const dispatcher = new DeliveryDispatcher({
    store,
    sender,
    sealingKeys,
    refusedRecipients: (tenantId, addresses) => recipients.refused(tenantId, addresses),
    tenants,
    effects,
    onOutcome: (delivery, outcome) => {
      metrics.recordDelivery(delivery.targetType, outcome);
      outbox.add(delivery.tenantId, deliveryEvent(delivery, outcome));
      if (outcome.kind === 'sent') return;
      const { id: deliveryId, tenantId, source, targetType, attempts } = delivery;
      const said = { deliveryId, tenantId, source, targetType, attempts, error: outcome.error };
      if (outcome.kind === 'dead') log.warn(said, 'a delivery was given up');
      else log.info(said, 'a delivery failed and is tried again');
    },
    onError: (error, deliveryId) =>
      log.error(
        { err: error, ...(deliveryId && { deliveryId }) },
        deliveryId ? 'a delivery failed with a defect' : 'due deliveries could not be read',
      ),
  });
  const { waiting, sent, dead } = await store.counts();
  // Finished ones are removed after a while.
  if (!runner.isAlone || waiting + sent + dead > 0) dispatcher.wake();
  runner.onTakeover(async () => {
    await store.releaseAbandoned(effects.now());
    dispatcher.wake();
  });
  return {
    deliveries: new Deliveries({
      store,
      sealingKeys,
      effects,
      limits: deliveryLimits,
      recipients,
      sendsMail: mail !== null,
      wake: () => dispatcher.wake(),
    }),
    mailer: mail === null ? null : new DirectMail({ sender, recipients, limits: deliveryLimits, effects }),
    counts: () => store.counts(),
    storedBytes: async (tenantId: string) => (await store.load(tenantId, effects.now())).bytes,
    erase: async (tenantId: string) => {
      await dispatcher.abort(tenantId);
      return store.erase(tenantId);
    },
    close: () => dispatcher.close(),
  };
}
