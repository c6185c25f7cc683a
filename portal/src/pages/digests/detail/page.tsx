import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { SendingPage } from '../../../sending/page.tsx';
import { Deliveries, Schedule, TargetList } from '../../../sending/shown.tsx';
import { forReaders } from '../../../shell/readers-page.tsx';
import { createdFact, errorFact, Facts } from '../../../ui/facts.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { Contents } from '../contents.tsx';
import { DIGESTS, type Digest, digestHistoryQuery, digestQuery, invalidateDigests } from '../digests.ts';

const DigestDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/digests/$id');

/** A digest: what it has, when it is sent, and its messages. */
export const DigestPage = forReaders(t('Digest'), 'digests', 'alerts:read', OneDigest);

function OneDigest() {
  const query = useQuery(digestQuery(route.useParams().id));
  return (
    <SendingPage
      noun="digest"
      query={query}
      stored={query.data?.digest}
      sendLabel={t('Send now')}
      onSwitch={(id, enabled) => client.PATCH(`${DIGESTS}/{id}`, { params: { path: { id } }, body: { enabled } })}
      invalidate={invalidateDigests}
      Dialog={DigestDialog}
    >
      {(digest) => (
        <>
          {!digest.enabled && (
            <div className="row">
              <Badge tone="muted">{t('Switched off')}</Badge>
              <span className="muted">{digest.disabledReason ?? t('It is not sent until it is switched on.')}</span>
            </div>
          )}
          <Definition digest={digest} />
          <Messages id={digest.id} />
        </>
      )}
    </SendingPage>
  );
}

function Definition({ digest }: { digest: Digest }) {
  const { every, timezone, targets, lastSent, nextAt } = digest;
  const facts = {
    [t('Contents')]: <Contents digest={digest} isLinked />,
    [t('When')]: <Schedule every={every} timezone={timezone} />,
    [t('Targets')]: <TargetList targets={targets} />,
    [t('Last sent')]: lastSent === null ? t('Never') : <Time iso={lastSent.at} />,
    [t('Error')]: errorFact(lastSent?.error),
    [t('Next')]: nextAt === null ? t('Never, while it is switched off') : <Time iso={nextAt} />,
    [t('Created')]: createdFact(digest),
  };
  return (
    <Section id="definition" title={t('Definition')}>
      <Facts label={t('Definition')} facts={facts} />
    </Section>
  );
}

function Messages({ id }: { id: string }) {
  const query = useQuery(digestHistoryQuery(id));
  return (
    <Section id="messages" title={t('Messages')} className="stack tight">
      <QueryState query={query} />
      {query.data && <Deliveries deliveries={query.data.deliveries} />}
    </Section>
  );
}
