import { useBlocker } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Asked {
  title: string;
  description: string;
  leave: string;
  afterLogin: string;
}

interface LeaveGuardProps {
  isDirty(): boolean;
  asked: Asked;
}

/** Asks before unsaved work is lost: in the page, and by the browser when the page is closed. */
export function LeaveGuard({ isDirty, asked }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <LeaveQuestion
      asked={asked}
      isOpen={blocker.status === 'blocked'}
      hasEnded={blocker.next?.pathname.endsWith('/login') ?? false}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  );
}

interface LeaveQuestionProps {
  asked: Asked;
  isOpen: boolean;
  /** The session has ended: the login page would be next. */
  hasEnded?: boolean;
  onStay(): void;
  onLeave(): void;
}

export function LeaveQuestion({ asked, isOpen, hasEnded = false, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Dialog
      open={isOpen}
      onClose={onStay}
      title={hasEnded ? 'Your session has ended' : asked.title}
      description={hasEnded ? `Log in in a new tab, then ${asked.afterLogin}` : asked.description}
    >
      <div className="dialog-foot">
        <Button onClick={onStay}>Stay here</Button>
        {hasEnded && (
          <a className="button" href={`${basePath}login`} target="_blank" rel="noreferrer">
            Log in in a new tab
          </a>
        )}
        <Button look="danger" onClick={onLeave}>
          {asked.leave}
        </Button>
      </div>
    </Dialog>
  );
}

/** The words for a form with changes. */
export function unsaved(what: string): Asked {
  return {
    title: 'Leave without saving?',
    description: `The changes of this ${what} are lost then.`,
    leave: 'Leave without saving',
    afterLogin: `save this ${what} here. If you leave, its changes are lost.`,
  };
}
