import { useBlocker } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { t } from '../language/index.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Asked {
  title: string;
  description: string;
  leave: string;
  /** In place of the description once the session has ended. */
  afterLogin: string;
}

/** The question of a form with changes. */
const UNSAVED: Asked = {
  title: t('Leave without saving?'),
  description: t('Your changes are lost then.'),
  leave: t('Leave without saving'),
  afterLogin: t('Log in in a new tab, then save here. If you leave, your changes are lost.'),
};

interface LeaveGuardProps {
  isDirty(): boolean;
  asked?: Asked;
}

/** Asks before unsaved work is lost: in the page, and by the browser when the page is closed. */
export function LeaveGuard({ isDirty, asked = UNSAVED }: LeaveGuardProps) {
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
  asked?: Asked;
  isOpen: boolean;
  /** The session has ended: the login page would be next. */
  hasEnded?: boolean;
  onStay(): void;
  onLeave(): void;
}

export function LeaveQuestion({ asked = UNSAVED, isOpen, hasEnded = false, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Dialog
      open={isOpen}
      onClose={onStay}
      title={hasEnded ? t('Your session has ended') : asked.title}
      description={hasEnded ? asked.afterLogin : asked.description}
    >
      <div className="dialog-foot">
        <Button onClick={onStay}>{t('Stay here')}</Button>
        {hasEnded && (
          <a className="button" href={`${basePath}login`} target="_blank" rel="noreferrer">
            {t('Log in in a new tab')}
          </a>
        )}
        <Button look="danger" onClick={onLeave}>
          {asked.leave}
        </Button>
      </div>
    </Dialog>
  );
}
