import { useEffect, useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../../api/client.ts';
import { messageOf } from '../../../api/errors.ts';
import { invalidate } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button } from '../../../ui/button.tsx';
import { download } from '../../../ui/download.ts';
import { Form, TextField, typing } from '../../../ui/field.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { store, stored } from '../../../ui/stored.ts';
import { Time, When } from '../../../ui/time.tsx';
import { useOperatorReason } from '../operator.ts';
import { BACKUP, sizeOf } from './words.ts';

type Status = Schemas['BackupStatus'];
type Begun = Schemas['BegunBackup'];

const POLL_MS = 1_000;

/** A backup that this tab has begun and not yet fetched: whoever leaves the page finds it on return. */
const BEGUN = 'backup';

function begunHere(): Begun | null {
  return JSON.parse(stored('sessionStorage', BEGUN) ?? 'null') as Begun | null;
}

/** A backup that the browser saves: the page only begins it, and says how it gets on. */
export function Backup() {
  const reason = useOperatorReason();
  const query = api.useQuery(
    'get',
    BACKUP,
    {},
    {
      enabled: reason === undefined,
      // A hidden page must not miss that the copy is ready.
      refetchInterval: ({ state }) => (state.data?.current ? POLL_MS : false),
      refetchIntervalInBackground: true,
      staleTime: 0,
    },
  );
  const { data } = query;
  const [begun, setBegun] = useState(begunHere);
  const begin = (made: Begun) => {
    store('sessionStorage', BEGUN, JSON.stringify(made));
    setBegun(made);
  };
  const state = data?.current?.isOwn === true ? data.current.state : null;
  const isOver = data?.current === null;
  useEffect(() => {
    if (begun === null) return;
    if (isOver || state === 'ready') store('sessionStorage', BEGUN, undefined);
    // A backup that was cancelled has no download, and the next one its own.
    if (isOver) setBegun(null);
    // The browser streams the file to the disk: the page never holds it.
    if (state === 'ready') download(begun.name, begun.url);
  }, [begun, state, isOver]);
  if (reason === undefined && !data) return <QueryState query={query} height={220} />;
  const refusal = reason ?? data?.refusal ?? undefined;
  return (
    <>
      <p className="muted">
        {t.nodes(
          'Everything of this installation in one file, with its secrets, sealed by a passphrase: as {backup} makes it. {restore} brings it back.',
          { backup: <code>agent-runtime backup</code>, restore: <code>agent-runtime restore</code> },
        )}
      </p>
      {data?.current ? (
        <Progress current={data.current} isHere={begun !== null} />
      ) : (
        <BackupForm reason={refusal} onBegun={begin} />
      )}
      {data?.last && !data.current && <Last last={data.last} />}
    </>
  );
}

function BackupForm({ reason, onBegun }: { reason: string | undefined; onBegun(begun: Begun): void }) {
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const { error, isBusy, run } = useTask();
  const differs = again !== '' && again !== passphrase;
  const missing = passphrase === '' ? t('Give a passphrase first.') : t('Give the same passphrase twice.');
  const isGiven = passphrase !== '' && again === passphrase;
  const submit = () => {
    if (!isGiven || reason !== undefined) return;
    void run(async () => {
      const begun = await answerOf(client.POST(BACKUP, { body: { passphrase } }));
      setPassphrase('');
      setAgain('');
      await invalidate((path) => path === BACKUP);
      onBegun(begun);
    });
  };
  return (
    <Form aria-labelledby="backup" onSubmit={submit}>
      <div className="fields">
        <TextField
          label={t('Passphrase')}
          type="password"
          autoComplete="new-password"
          help={t('Nobody can open the file without it, and it is stored nowhere. Take several words.')}
          disabled={reason !== undefined}
          {...typing(passphrase, setPassphrase)}
        />
        <TextField
          label={t('Passphrase once more')}
          type="password"
          autoComplete="new-password"
          error={differs ? t('The two differ') : undefined}
          disabled={reason !== undefined}
          {...typing(again, setAgain)}
        />
      </div>
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
      {reason !== undefined && <p className="muted">{reason}</p>}
      <div className="row">
        <Button type="submit" icon="download" disabled={isBusy} reason={reason ?? (isGiven ? undefined : missing)}>
          {t('Download a backup')}
        </Button>
      </div>
    </Form>
  );
}

const STATES = {
  copying: t(
    'Everything is being copied. The server goes on working. The download begins on this page: stay, or come back.',
  ),
  ready: t('The copy is ready: the download begins.'),
  sending: t('The browser is saving the file. Leave the download going; this page may be closed.'),
} as const;

const ELSEWHERE = {
  ...STATES,
  copying: t('Everything is being copied. The tab in which you began it saves the file.'),
  ready: t('The copy is ready. The tab in which you began it saves the file.'),
} as const;

interface ProgressProps {
  current: NonNullable<Status['current']>;
  /** This tab fetches it. */
  isHere: boolean;
}

function Progress({ current, isHere }: ProgressProps) {
  const { state, isOwn, startedAt, sentBytes, packedBytes, totalBytes } = current;
  const { error, isBusy, run } = useTask();
  const cancel = () =>
    run(async () => {
      await answerOf(client.DELETE(BACKUP));
      await invalidate((path) => path === BACKUP);
    });
  return (
    <div className="stack">
      <p role="status">
        {isOwn
          ? (isHere ? STATES : ELSEWHERE)[state]
          : t('Somebody else makes a backup at the moment. Yours can begin when it has ended.')}
      </p>
      <progress
        aria-label={t('Packed data')}
        {...(totalBytes === null ? {} : { max: Math.max(1, totalBytes), value: Math.min(packedBytes, totalBytes) })}
      />
      <p className="small muted">
        <When text="Begun {time}." iso={startedAt} />{' '}
        {totalBytes === null
          ? t('{sent} so far.', { sent: sizeOf(sentBytes) })
          : t('{sent} so far; {packed} of {total} of data are packed.', {
              sent: sizeOf(sentBytes),
              packed: sizeOf(packedBytes),
              total: sizeOf(totalBytes),
            })}
      </p>
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
      <div className="row">
        <Button disabled={isBusy} onClick={() => void cancel()}>
          {t('Cancel the backup')}
        </Button>
      </div>
    </div>
  );
}

function Last({ last: { outcome, endedAt, bytes, events, message } }: { last: NonNullable<Status['last']> }) {
  const time = <Time iso={endedAt} />;
  const size = sizeOf(bytes);
  const withEvents = t.count(events ?? 0, '{size} with {count} event', '{size} with {count} events', { size });
  const words = {
    sent: t.nodes('The last backup, of {time}, was sent: {content}.', { time, content: withEvents }),
    cancelled: t.nodes('The last backup, of {time}, was broken off before its end.', { time }),
    expired: t.nodes('The last backup, of {time}, was not fetched in time and is gone.', { time }),
    failed: t.nodes('The last backup, of {time}, failed: {message}.', {
      time,
      message: (message ?? '').replace(/\.$/, ''),
    }),
  };
  return (
    <p role="status" className={outcome === 'failed' ? 'bad-text' : 'muted'}>
      {words[outcome]}
    </p>
  );
}
