import { useBlocker } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface LeaveGuardProps {
  isDirty(): boolean;
  asked: { title: string; description: string; leave: string; afterLogin: string };
}

/** Asks before unsaved work is lost: in the page, and by the browser when the page is closed. */
export function LeaveGuard({ isDirty, asked }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  const hasEnded = blocker.next?.pathname.endsWith('/login') ?? false;
  return (
    <Dialog
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={hasEnded ? 'Your session has ended' : asked.title}
      description={hasEnded ? `Log in in a new tab, then ${asked.afterLogin}` : asked.description}
    >
      <div className="dialog-foot">
        <Button onClick={() => blocker.reset?.()}>Stay here</Button>
        {hasEnded && (
          <a className="button" href={`${basePath}login`} target="_blank" rel="noreferrer">
            Log in in a new tab
          </a>
        )}
        <Button look="danger" onClick={() => blocker.proceed?.()}>
          {asked.leave}
        </Button>
      </div>
    </Dialog>
  );
}

/** What is asked where a form has changes. */
export function unsaved(what: string) {
  return {
    title: 'Leave without saving?',
    description: `The changes of this ${what} are lost then.`,
    leave: 'Leave without saving',
    afterLogin: `save this ${what} here. If you leave, its changes are lost.`,
  };
}
