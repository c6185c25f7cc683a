import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

/** Asks before unsaved changes are lost: in the page, and by the browser when the page is closed. */
export function LeaveGuard({ isDirty }: { isDirty(): boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty() && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  const isOpen = blocker.status === 'blocked';
  return (
    <Dialog
      open={isOpen}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
      description="The changes of this card are lost then."
    >
      <div className="dialog-foot">
        <Button onClick={() => blocker.reset?.()}>Stay here</Button>
        <Button look="danger" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </div>
    </Dialog>
  );
}
