import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { Schedule } from '../../../sending/shown.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Badge, Item, ItemList } from '../../../ui/item-list.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { Contents } from '../contents.tsx';
import { type Digest, digestsQuery } from '../digests.ts';

/** All digests, newest first. */
export function Digests() {
  const { can } = useSession();
  const mayWrite = can('alerts:write');
  const query = useQuery(digestsQuery());
  const { data } = query;
  return (
    <>
      <PageHead title="Digests">
        {mayWrite && (
          <ButtonLink look="primary" icon="add" to="/digests/new-digest">
            New digest
          </ButtonLink>
        )}
      </PageHead>
      <div className="stack">
        <p className="muted">Cards of a dashboard, sent on a schedule with what changed since the last time.</p>
        <QueryState query={query} what="digests" height={320} />
        {data && data.digests.length > 0 && (
          <ItemList label="Digests">
            {data.digests.map((digest) => (
              <DigestItem key={digest.id} digest={digest} />
            ))}
          </ItemList>
        )}
        {data?.total === 0 && (
          <div className="panel">
            <EmptyState title="No digests yet">
              <p>
                A digest brings the numbers of a dashboard to people who do not open it: by e-mail, Slack or webhook.
              </p>
              {mayWrite ? (
                <Link to="/digests/new-digest">Create the first one</Link>
              ) : (
                <p>Your role may look at digests, not create them.</p>
              )}
            </EmptyState>
          </div>
        )}
      </div>
    </>
  );
}

function DigestItem({ digest }: { digest: Digest }) {
  const { id, title, every, timezone, enabled, disabledReason, lastSent, nextAt } = digest;
  return (
    <Item
      title={
        <Link className="item-link" to="/digests/$id" params={{ id }} preload={false}>
          {title}
        </Link>
      }
      beside={!enabled && <Badge tone="muted">Switched off</Badge>}
    >
      <p>
        <Contents digest={digest} isLinked={false} />
      </p>
      {disabledReason !== undefined && <p>{disabledReason}</p>}
      {lastSent?.error != null && <p className="bad-text">{lastSent.error}</p>}
      <p className="small muted">
        <Schedule every={every} timezone={timezone} />
        {lastSent !== null && (
          <>
            {' · last sent '}
            <Time iso={lastSent.at} />
          </>
        )}
        {nextAt !== null && (
          <>
            {' · next '}
            <Time iso={nextAt} />
          </>
        )}
      </p>
    </Item>
  );
}
