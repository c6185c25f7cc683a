import { api, client } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import { invalidate } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Item, ItemList } from '../../ui/item-list.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { announce } from '../../ui/toast.tsx';
import { browserName } from './browser-name.ts';

const SESSIONS = '/api/v1/portal/sessions';
const MAX_SHOWN = 200;

/** The user's sessions, each with a button that ends it. */
export function Sessions() {
  const query = api.useQuery('get', SESSIONS, { params: { query: { limit: MAX_SHOWN } } });
  const { data } = query;
  const ended = async (error: unknown, message: string) => {
    announce(error ? messageOf(error) : message);
    await invalidate((path) => path === SESSIONS);
  };
  const end = async (id: string) => {
    const { error } = await client.DELETE(`${SESSIONS}/{id}`, { params: { path: { id } } });
    await ended(error, 'The session is ended.');
  };
  const endOthers = async () => {
    const { error } = await client.DELETE(SESSIONS, {});
    await ended(error, 'All other sessions are ended.');
  };
  if (query.error || !data) return <QueryState query={query} what="your sessions" />;
  return (
    <>
      <ItemList label="Sessions">
        {data.sessions.map(({ id, current, createdAt, lastSeenAt, address, userAgent }) => (
          <Item
            key={id}
            title={browserName(userAgent)}
            beside={current && <Badge tone="good">this one</Badge>}
            end={
              !current && (
                <Button aria-label={`End the session from ${address}`} onClick={() => void end(id)}>
                  End
                </Button>
              )
            }
          >
            <p className="small muted">
              From {address}, since <Time iso={createdAt} />, last seen <Time iso={lastSeenAt} />
            </p>
          </Item>
        ))}
      </ItemList>
      {data.total > 1 && (
        <div className="row">
          <Button onClick={() => void endOthers()}>End all others</Button>
        </div>
      )}
    </>
  );
}
