import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { Beginning } from './beginning.tsx';
import { Composer } from './composer/composer.tsx';
import { ExchangeItem } from './exchange/exchange.tsx';
import { SideFields } from './side-fields.tsx';
import { isRunning } from './state/conversation.ts';
import { settingsOf } from './state/settings.ts';
import type { Source } from './state/sides.ts';
import { focusMessage, useChat } from './use-chat.ts';
import { useFollowedEnd } from './use-followed-end.ts';

const Settings = lazyDialog(() => import('./settings/dialog.tsx'));

/** The conversation of this browser with the models of the tenant's providers. */
export function Playground({ sources }: { sources: readonly Source[] }) {
  const { user } = useSession();
  const { conversation, actions, isKept } = useChat(user.id, sources);
  const [isSetting, setSetting] = useState(false);
  const [reviewed, setReviewed] = useState<string | null>(null);
  const { threadId, exchanges } = conversation;
  const runs = isRunning(conversation);
  const settings = settingsOf(conversation);
  useFollowedEnd(conversation);
  const begin = (text: string) => {
    actions.change((before) => ({ ...before, composed: { ...before.composed, text } }));
    focusMessage();
  };
  return (
    <>
      <PageHead title={t('Chat')}>
        {exchanges.length > 0 && (
          <>
            <ButtonLink to="/threads/$id" params={{ id: threadId }}>
              {t('Recorded thread')}
            </ButtonLink>
            <Button icon="add" onClick={actions.begin}>
              {t('New conversation')}
            </Button>
          </>
        )}
        <Button icon="gauge" onClick={() => setSetting(true)}>
          {settings.count === 0
            ? t('Parameters and tools')
            : t('Parameters and tools ({count} set)', { count: settings.count })}
        </Button>
      </PageHead>
      <div className="stack">
        <SideFields sides={conversation.sides} sources={sources} isRunning={runs} change={actions.change} />
        {exchanges.length === 0 ? (
          <Beginning onChoose={begin} />
        ) : (
          <ol className="stack" aria-label={t('Conversation')}>
            {exchanges.map((exchange, index) => (
              <ExchangeItem
                // biome-ignore lint/suspicious/noArrayIndexKey: exchanges are only added, or replaced from one on
                key={index}
                {...{ exchange, index, actions, reviewed }}
                isNewest={index === exchanges.length - 1}
                tools={conversation.tools}
                mayChange={!runs}
                onReview={setReviewed}
              />
            ))}
          </ol>
        )}
        {!isKept && (
          <p className="notice warning" role="status">
            {t('This browser has no room for this conversation: a reload would lose it.')}
          </p>
        )}
        <Composer {...{ conversation, sources, actions }} isRunning={runs} problem={settings.problem} />
      </div>
      {isSetting && (
        <Settings {...{ conversation, sources }} change={actions.change} onClose={() => setSetting(false)} />
      )}
    </>
  );
}
