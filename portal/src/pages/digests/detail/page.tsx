import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { Deliveries } from '../../../sending/deliveries.tsx';
import { PageActions, type SendingDialog } from '../../../sending/page-actions.tsx';
import { Schedule, TargetList } from '../../../sending/shown.tsx';
import { createdFact, errorFacts, type Fact, Facts } from '../../../ui/facts.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { Contents } from '../contents.tsx';
import { DIGESTS, type Digest, digestHistoryQuery, digestQuery, invalidateDigests } from '../digests.ts';

const DigestDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/digests/$id');

/** A digest: what it has, when it is sent, and its messages. */
export function DigestPage() {
  const { id } = route.useParams();
  const query = useQuery(digestQuery(id));
  if (query.data) return <Shown key={id} digest={query.data.digest} />;
  return (
    <>
      <PageHead title="Digest" />
      <QueryState query={query} what="the digest" height={320} />
    </>
  );
}

function Shown({ digest }: { digest: Digest }) {
  const { id, title, enabled, disabledReason = 'It is not sent until it is switched on.' } = digest;
  const [dialog, setDialog] = useState<SendingDialog | null>(null);
  return (
    <>
      <PageHead title={title}>
        <PageActions
          noun="digest"
          stored={digest}
          sendLabel="Send now"
          onSwitch={(next) => client.PATCH(`${DIGESTS}/{id}`, { params: { path: { id } }, body: { enabled: next } })}
          invalidate={invalidateDigests}
          onOpen={setDialog}
        />
      </PageHead>
      <div className="stack">
        {!enabled && (
          <div className="row">
            <Badge tone="muted">Switched off</Badge>
            <span className="muted">{disabledReason}</span>
          </div>
        )}
        <Definition digest={digest} />
        <Messages id={id} />
      </div>
      {dialog && <DigestDialog name={dialog} digest={digest} onClose={() => setDialog(null)} />}
    </>
  );
}

function Definition({ digest }: { digest: Digest }) {
  const { every, timezone, targets, lastSent, nextAt } = digest;
  const facts: Fact[] = [
    ['Contents', <Contents key="contents" digest={digest} isLinked />],
    ['When', <Schedule key="schedule" every={every} timezone={timezone} />],
    ['Targets', <TargetList key="targets" targets={targets} />],
    ['Last sent', lastSent === null ? 'Never' : <Time key="last" iso={lastSent.at} />],
    ...errorFacts(lastSent?.error),
    ['Next', nextAt === null ? 'Never, while it is switched off' : <Time key="next" iso={nextAt} />],
    createdFact(digest),
  ];
  return (
    <section className="panel padded stack" aria-labelledby="definition">
      <h2 id="definition">Definition</h2>
      <Facts label="Definition" facts={facts} />
    </section>
  );
}

function Messages({ id }: { id: string }) {
  const query = useQuery(digestHistoryQuery(id));
  return (
    <section className="stack tight" aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      <QueryState query={query} what="the messages" />
      {query.data && <Deliveries deliveries={query.data.deliveries} />}
    </section>
  );
}
