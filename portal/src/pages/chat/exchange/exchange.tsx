import { memo, useMemo } from 'react';
import { t } from '../../../language/index.ts';
import { Content } from '../../../transcript/conversation/content.tsx';
import { partsOf } from '../../../transcript/conversation/parts.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { Exchange } from '../state/conversation.ts';
import type { ExchangeProps } from './props.ts';
import { RoundContent } from './round.tsx';

/** A message of the user, and the answers of the models to it. */
export const ExchangeItem = memo((props: ExchangeProps) => {
  const { exchange, index, actions, mayChange } = props;
  return (
    <li className="stack tight">
      <Said exchange={exchange} onEdit={mayChange ? () => actions.edit(index) : undefined} />
      <div className="chat-answers">
        {exchange.answers.map((rounds, side) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a side is its place
          <div key={side} className="panel padded stack">
            {rounds.map((round, at) => (
              <RoundContent
                // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only added
                key={at}
                {...props}
                round={round}
                place={{ exchange: index, side }}
                number={at}
                isLast={at === rounds.length - 1}
              />
            ))}
          </div>
        ))}
      </div>
    </li>
  );
});

function Said({ exchange, onEdit }: { exchange: Exchange; onEdit: (() => void) | undefined }) {
  const parts = useMemo(() => partsOf([exchange.text, ...exchange.parts].filter((one) => one !== '')), [exchange]);
  return (
    <div className="turn of-user row">
      <div className="stack tight grow">
        <p>
          <strong>{t('You')}</strong>
        </p>
        <Content parts={parts} isProse />
      </div>
      {onEdit && <IconButton icon="edit" label={t('Edit and send again')} onClick={onEdit} />}
    </div>
  );
}
