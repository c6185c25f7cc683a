import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useHasNoEvents } from '../../api/events.ts';
import { t } from '../../language/index.ts';
import { rememberAgent, useAgent } from '../../shell/remembered.ts';

/** The next step while nothing is asked: without any event, those of the first hour. */
export function HowToBegin({ children }: { children: ReactNode }) {
  const agent = useAgent();
  const hasNone = useHasNoEvents(agent);
  const isEmpty = useHasNoEvents(undefined);
  if (isEmpty) {
    return (
      <>
        {t('There are no events yet.')}{' '}
        <Link to="/" search={{ 'first-hour': 'open' }}>
          {t('Send the first one')}
        </Link>
      </>
    );
  }
  if (!hasNone || agent === undefined) return children;
  return (
    <>
      {t('There are no events of the agent {agent}.', { agent })}{' '}
      <Link to="." search={(before) => ({ ...before, agent: undefined })} onClick={() => rememberAgent(undefined)}>
        {t('Show all agents')}
      </Link>
    </>
  );
}
