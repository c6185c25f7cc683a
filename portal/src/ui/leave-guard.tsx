import { useBlocker } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before unsaved changes are lost: in the page, and by the browser when the page is closed. */
export function LeaveGuard({ what, isDirty }: { what: string; isDirty(): boolean }) {
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
      title={hasEnded ? 'Your session has ended' : 'Leave without saving?'}
      description={
        hasEnded
          ? `Log in in a new tab, then save this ${what} here. If you leave, its changes are lost.`
          : `The changes of this ${what} are lost then.`
      }
    >
      <div className="dialog-foot">
        <Button onClick={() => blocker.reset?.()}>Stay here</Button>
        {hasEnded && (
          <a className="button" href={`${basePath}login`} target="_blank" rel="noreferrer">
            Log in in a new tab
          </a>
        )}
        <Button look="danger" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  );
}
