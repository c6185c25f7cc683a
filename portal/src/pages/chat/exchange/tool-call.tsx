import { useState } from 'react';
import type { ToolCall } from '../../../../../clients/typescript/src/chat.ts';
import { t } from '../../../language/index.ts';
import { prettyJson } from '../../../transcript/json.ts';
import { TitledCode } from '../../../transcript/titled-code.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextArea, typing } from '../../../ui/field.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { Badge } from '../../../ui/item-list.tsx';
import { useTask } from '../../../ui/refusal.tsx';
import { calledBy } from '../state/request.ts';
import { citationsIn } from '../state/tools/citations.ts';
import { type Answering, answeringOf, type ToolsForm } from '../state/tools/form.ts';
import { Citations } from './citations.tsx';

interface ToolCallItemProps {
  call: ToolCall;
  result: string | null;
  tools: ToolsForm;
  /** The model waits for the result. */
  isOpen: boolean;
  onAnswer(result: string): void;
  onRun(): Promise<void>;
}

/** A call of a tool: open until it has a result, then folded. */
export function ToolCallItem({ call, result, tools, isOpen, onAnswer, onRun }: ToolCallItemProps) {
  const { name, arguments: given } = calledBy(call);
  const answering = answeringOf(tools, name);
  const title = (
    <span className="summary-line">
      <bdi className="tool-name">{name}</bdi>
      {result === null && (
        <Badge tone={isOpen ? 'warning' : 'muted'}>{isOpen ? t('Needs a result') : t('No result')}</Badge>
      )}
    </span>
  );
  const shown = <TitledCode title={t('Arguments')} text={prettyJson(given) ?? given} />;
  if (result === null && isOpen) {
    return (
      <div className="tool-call stack tight padded">
        <p>{title}</p>
        {shown}
        <Answer name={name} answering={answering} onAnswer={onAnswer} onRun={onRun} />
      </div>
    );
  }
  const citations = answering.kind === 'store' && result !== null ? citationsIn(result) : [];
  return (
    <>
      <Folded className="folded tool-call" summary={title}>
        {() => (
          <>
            {shown}
            {result !== null && <TitledCode title={t('Result')} text={prettyJson(result) ?? result} />}
          </>
        )}
      </Folded>
      {citations.length > 0 && <Citations citations={citations} />}
    </>
  );
}

interface AnswerProps extends Pick<ToolCallItemProps, 'onAnswer' | 'onRun'> {
  name: string;
  answering: Answering;
}

/** By the connector or store behind the tool, or by hand. */
function Answer({ name, answering, onAnswer, onRun }: AnswerProps) {
  const [text, setText] = useState('');
  const { isBusy, run } = useTask();
  return (
    <>
      {answering.kind !== 'hand' && (
        <p>
          <Button look="primary" disabled={isBusy} onClick={() => void run(onRun)}>
            {answering.kind === 'store'
              ? t('Search {store}', { store: answering.store })
              : t('Call {resource} of {connector}', answering)}
          </Button>
        </p>
      )}
      <TextArea
        label={t('Result of {name}', { name })}
        help={t('What the tool would answer, as text or JSON. The model goes on with it.')}
        {...typing(text, setText)}
      />
      <p>
        <Button disabled={isBusy} onClick={() => onAnswer(text)}>
          {t('Give this result')}
        </Button>
      </p>
    </>
  );
}
