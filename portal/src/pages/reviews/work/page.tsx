import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/states.tsx';
import { UnreadPage } from '../../../ui/unread-page.tsx';
import { useKeys } from '../../../ui/use-keys.ts';
import { QUEUE, type Queue } from '../api.ts';
import { Conflict } from '../review/save.ts';
import { ItemContent } from './item.tsx';
import { leaseInWords } from './lease.ts';
import { People, Progress } from './progress.tsx';
import { useLease } from './use-lease.ts';
import { type QueueWork, useQueue } from './use-queue.ts';

const KeyHelp = lazyDialog(() => import('./key-help.tsx'));

const all = <Link to="/reviews">{t('All queues')}</Link>;

/** The page of a queue: its items one after the other. */
export function QueuePage({ name }: { name: string }) {
  const query = api.useQuery('get', QUEUE, { params: { path: { name } } });
  const { can } = useSession();
  const { data } = query;
  if (data === undefined) {
    return (
      <UnreadPage title={name} missing={t('There is no such queue')} query={query}>
        {all}
      </UnreadPage>
    );
  }
  return can('reviews:write') ? <Work key={name} queue={data} /> : <OnlyRead queue={data} />;
}

function OnlyRead({ queue }: { queue: Queue }) {
  return (
    <>
      <PageHead title={queue.title ?? queue.name}>
        <ButtonLink to="/reviews">{t('All queues')}</ButtonLink>
      </PageHead>
      <div className="stack">
        <p className="notice">
          {t(
            'Your role lets you look at queues, not work through them. An administrator can give you a role that may.',
          )}
        </p>
        <Progress counts={queue} />
        <People people={queue.people} />
      </div>
    </>
  );
}

function Work({ queue }: { queue: Queue }) {
  const work = useQueue(queue.name);
  const { executionId, counts = queue, error, isBusy, previous, undo } = work;
  const [isHelpOpen, setHelpOpen] = useState(false);
  const isShown = executionId != null;
  const ready = <Act,>(act: Act) => (isBusy ? undefined : act);
  const next = ready(isShown ? work.next : undefined);
  useKeys({ j: next, k: ready(previous), u: ready(undo), '?': () => setHelpOpen(true) });
  return (
    <>
      <PageHead title={queue.title ?? queue.name}>
        <Button aria-keyshortcuts="K" disabled={!ready(previous)} onClick={previous}>
          {t('Previous')} <kbd>K</kbd>
        </Button>
        <Button aria-keyshortcuts="J" disabled={!next} onClick={next}>
          {work.isPast ? t('Next') : t('Skip')} <kbd>J</kbd>
        </Button>
        <Button aria-keyshortcuts="U" disabled={!ready(undo)} onClick={undo}>
          {t('Undo')} <kbd>U</kbd>
        </Button>
        <Button onClick={() => setHelpOpen(true)}>
          {t('Keys|of the keyboard')} <kbd>?</kbd>
        </Button>
        <ButtonLink to="/reviews">{t('All queues')}</ButtonLink>
      </PageHead>
      <div className="stack">
        <div className="row">
          <Progress counts={counts} />
          {work.isPast && <span className="muted">· {t('an item that you have seen')}</span>}
          {isShown && !work.isPast && <Lease work={work} />}
        </div>
        {error !== null && !(error instanceof Conflict) && (
          <ErrorNotice error={error} {...(!isShown && { onRetry: work.retry })} />
        )}
        {executionId === undefined && error === null && <Loading height={480} />}
        {executionId === null && error === null && <Nothing counts={counts} onAsk={work.retry} />}
        {isShown && <Item key={`${executionId} ${work.visit}`} queue={queue} work={work} />}
        <People people={queue.people} />
      </div>
      {isHelpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

function Item({ queue, work }: { queue: Queue; work: QueueWork }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The page's title has the focus when the page opens.
    if (document.activeElement?.tagName !== 'H1') heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  return <ItemContent heading={heading} executionId={work.executionId!} rubricName={queue.rubric} work={work} />;
}

/** How long the item is held for the person, and what to do when that has ended. */
function Lease({ work: { leaseEnd, renew, holdAgain, isBusy } }: { work: QueueWork }) {
  const now = useLease(leaseEnd, renew);
  const isHeld = leaseEnd !== null && leaseEnd > now;
  return (
    <>
      {isHeld && <span className="small muted">{leaseInWords(leaseEnd, now)}</span>}
      <span role="status">
        {!isHeld && (
          <span className="notice warning row">
            {t(
              'It is not held for you any more: somebody else may get it. You can still save; what both of you wrote is then shown.',
            )}
            <Button disabled={isBusy} onClick={holdAgain}>
              {t('Hold it again')}
            </Button>
          </span>
        )}
      </span>
    </>
  );
}

function Nothing({ counts: { waiting, done }, onAsk }: { counts: Pick<Queue, 'waiting' | 'done'>; onAsk(): void }) {
  return (
    <div className="panel">
      <EmptyState title={waiting === 0 ? t('Nothing waits') : t('Nothing waits for you')}>
        <p>
          {t.count(done, '{count} is done.', '{count} are done.')} {waiting > 0 && skippedText(waiting)}
        </p>
        <Button onClick={onAsk}>{t('Look again')}</Button>
        {all}
      </EmptyState>
    </div>
  );
}

function skippedText(waiting: number): string {
  return t.count(
    waiting,
    '{count} waits for others, or you have skipped it.',
    '{count} wait for others, or you have skipped them.',
  );
}
