import { useEffect, useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../../api/client.ts';
import { messageOf } from '../../../api/errors.ts';
import { invalidate } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { download } from '../../../ui/download.ts';
import { Form, TextField, typing } from '../../../ui/field.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { store, stored } from '../../../ui/stored.ts';
import { Time } from '../../../ui/time.tsx';
import { useOperatorReason } from '../operator.ts';
import { BACKUP, numberOf, sizeOf } from './words.ts';

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
        Everything of this installation in one file, with its secrets, sealed by a passphrase: as{' '}
        <code>agent-runtime backup</code> makes it. <code>agent-runtime restore</code> brings it back.
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
  const missing = passphrase === '' ? 'Give a passphrase first.' : 'Give the same passphrase twice.';
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
          label="Passphrase"
          type="password"
          autoComplete="new-password"
          help="Nobody can open the file without it, and it is stored nowhere. Take several words."
          disabled={reason !== undefined}
          {...typing(passphrase, setPassphrase)}
        />
        <TextField
          label="Passphrase once more"
          type="password"
          autoComplete="new-password"
          error={differs ? 'The two differ' : undefined}
          disabled={reason !== undefined}
          {...typing(again, setAgain)}
        />
      </div>
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
      {reason !== undefined && <p className="muted">{reason}</p>}
      <div className="row">
        <Button type="submit" icon="download" disabled={isBusy} reason={reason ?? (isGiven ? undefined : missing)}>
          Download a backup
        </Button>
      </div>
    </Form>
  );
}

const STATES = {
  copying:
    'Everything is being copied. The server goes on working. The download begins on this page: stay, or come back.',
  ready: 'The copy is ready: the download begins.',
  sending: 'The browser is saving the file. Leave the download going; this page may be closed.',
} as const;

const ELSEWHERE = {
  ...STATES,
  copying: 'Everything is being copied. The tab in which you began it saves the file.',
  ready: 'The copy is ready. The tab in which you began it saves the file.',
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
          : 'Somebody else makes a backup at the moment. Yours can begin when it has ended.'}
      </p>
      <progress
        aria-label="Packed data"
        {...(totalBytes === null ? {} : { max: Math.max(1, totalBytes), value: Math.min(packedBytes, totalBytes) })}
      />
      <p className="small muted">
        Begun <Time iso={startedAt} />. {sizeOf(sentBytes)} so far
        {totalBytes !== null && `; ${sizeOf(packedBytes)} of ${sizeOf(totalBytes)} of data are packed`}.
      </p>
      <div role="alert">{error !== null && <p className="field-error">{messageOf(error)}</p>}</div>
      <div className="row">
        <Button disabled={isBusy} onClick={() => void cancel()}>
          Cancel the backup
        </Button>
      </div>
    </div>
  );
}

function Last({ last: { outcome, endedAt, bytes, events, message } }: { last: NonNullable<Status['last']> }) {
  const words = {
    sent: `was sent: ${sizeOf(bytes)} with ${numberOf(events ?? 0)} events`,
    cancelled: 'was broken off before its end',
    expired: 'was not fetched in time and is gone',
    failed: `failed: ${(message ?? '').replace(/\.$/, '')}`,
  };
  return (
    <p role="status" className={outcome === 'failed' ? 'bad-text' : 'muted'}>
      The last backup, of <Time iso={endedAt} />, {words[outcome]}.
    </p>
  );
}
