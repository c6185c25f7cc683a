/** The checklist of the first hour. */
export const firstHour = {
  Overview: 'Visão geral',
  'A card is a question that stays on a dashboard. One press saves it into the tab “{tab}”.':
    'Um cartão é uma pergunta que fica em um painel. Um clique o salva na aba “{tab}”.',
  'Your role, {role}, may not save cards. Ask an administrator.':
    'Seu papel, {role}, não permite salvar cartões. Fale com um administrador.',
  'Saved: {title}': 'Salvo: {title}',
  'Save: {title}': 'Salvar: {title}',
  'It is saved.': 'Ele está salvo.',
  'Send an event': 'Envie um evento',
  'Connect a client': 'Conecte um cliente',
  'Ask a question': 'Faça uma pergunta',
  'Save your first card': 'Salve seu primeiro cartão',
  '“{name}” has arrived': '“{name}” chegou',
  'An event has arrived': 'Um evento chegou',
  '{client} called {tool}': '{client} chamou {tool}',
  'A client has called a tool': 'Um cliente chamou uma ferramenta',
  'A question was asked': 'Uma pergunta foi feita',
  'A card was saved': 'Um cartão foi salvo',
  'Your first hour': 'Sua primeira hora',
  '{done} of {total} done': '{done} de {total} concluídas',
  'done|a step': 'concluída',
  'Put away': 'Guardar',
  'All four steps are done. What you saved is below.':
    'As quatro etapas estão concluídas. O que você salvou está abaixo.',
  'All four steps are done.': 'As quatro etapas estão concluídas.',
  'Four steps from nothing to a number that you can watch. Each ticks itself once it has happened, here or anywhere else.':
    'Quatro etapas, do zero a um número que você pode acompanhar. Cada uma se marca sozinha quando acontece, aqui ou em qualquer outro lugar.',
  'Step {number} is done: {event}.': 'Etapa {number} concluída: {event}.',
  'Put away. It is under Help.': 'Guardada. Ela está em Ajuda.',
  'It could not be put away. Try again.': 'Não foi possível guardar a lista. Tente de novo.',
  'Give this address to Claude, ChatGPT, Cursor, VS Code or another MCP client. It sends you to this server to log in, and you decide what it may do.':
    'Informe este endereço ao Claude, ChatGPT, Cursor, VS Code ou outro cliente MCP. Ele leva você a este servidor para entrar, e você decide o que ele pode fazer.',
  'Address for MCP clients': 'Endereço para clientes MCP',
  'Set a client up': 'Configurar um cliente',
  'With the lines for each client, and a key where one is needed.':
    'Com as linhas para cada cliente e uma chave onde for necessária.',
  'The first call was {tool}, by {client}.': 'A primeira chamada foi {tool}, por {client}.',
  'Then ask it: “What is in my workspace?”': 'Depois pergunte a ele: “O que há no meu espaço de trabalho?”',
  'CSV file': 'Arquivo CSV',
  'Sample data': 'Dados de exemplo',
  'An event says what happened: a name, and properties as you like. Send one in the way that suits you.':
    'Um evento diz o que aconteceu: um nome e as propriedades que você quiser. Envie um da forma que preferir.',
  'Ways to send an event': 'Formas de enviar um evento',
  'Lines to run': 'Linhas a executar',
  'This page sees the event as soon as it has arrived.': 'Esta página vê o evento assim que ele chega.',
  'The lines have your new key, which is shown this once. Keys are listed, and ended, under Settings.':
    'As linhas contêm sua nova chave, que só aparece desta vez. As chaves são listadas e encerradas em Configurações.',
  'First event': 'Primeiro evento',
  'Make a key': 'Criar uma chave',
  'It may send events, and nothing else.': 'Ela só pode enviar eventos, e nada mais.',
  'Ask the agent-runtime MCP server.': 'Pergunte ao servidor MCP agent-runtime.',
  'Once an event has arrived, three questions made from it are here.':
    'Quando um evento chegar, três perguntas feitas a partir dele aparecerão aqui.',
  'Once an event has arrived, three cards made from it are here.':
    'Quando um evento chegar, três cartões feitos a partir dele aparecerão aqui.',
  'Ask more under {link}.': 'Pergunte mais em {link}.',
  'Make more with the {link}.': 'Crie outros no {link}.',
  'builder of cards': 'editor de cartões',
  'Three questions about the events that have arrived. Open one here, or ask it in your MCP client.':
    'Três perguntas sobre os eventos que chegaram. Abra uma aqui ou pergunte no seu cliente MCP.',
  'Ask here': 'Perguntar aqui',
  'Ask here: {question}': 'Perguntar aqui: {question}',
  'Copy for MCP': 'Copiar para MCP',
  'Copy for MCP: {question}': 'Copiar para MCP: {question}',
  'Your role, {role}, may not send events. Ask an administrator of the workspace.':
    'Seu papel, {role}, não permite enviar eventos. Fale com um administrador do espaço de trabalho.',
  'Your role, {role}, may not do this; an administrator of the workspace may.':
    'Seu papel, {role}, não permite fazer isto; um administrador do espaço de trabalho pode.',
  'The sample data is loaded': 'Os dados de exemplo foram carregados',
  'The sample data is loaded.': 'Os dados de exemplo foram carregados.',
  'Thirty days of a support desk: about 11,000 events under an agent of their own, four metrics and two dashboards. One press removes all of it again, and nothing of yours.':
    'Trinta dias de uma central de suporte: cerca de 11.000 eventos em um agente próprio, quatro métricas e dois painéis. Um clique remove tudo de novo, e nada do que é seu.',
  'Load the sample data': 'Carregar os dados de exemplo',
  'The sample data is gone': 'Os dados de exemplo foram removidos',
  'The sample data is in this workspace.': 'Os dados de exemplo estão neste espaço de trabalho.',
  'Remove the sample data': 'Remover os dados de exemplo',
  'The workspace ({zone})': 'O espaço de trabalho ({zone})',
  'This computer ({zone})': 'Este computador ({zone})',
  'Name of the events': 'Nome dos eventos',
  'For every row; or choose a column as the event name.':
    'Para todas as linhas; ou escolha uma coluna como nome do evento.',
  'Times are written': 'As horas são escritas como',
  'Times without a zone are of': 'Horas sem fuso são de',
  'Charts count days in the zone of the workspace.': 'Os gráficos contam os dias no fuso do espaço de trabalho.',
  Encoding: 'Codificação',
  'A guess: change it if letters below are wrong.': 'Uma suposição: altere se as letras abaixo estiverem erradas.',
  'No column is the time: the events get the time of the import.':
    'Nenhuma coluna é a hora: os eventos recebem a hora da importação.',
  'Columns and first rows': 'Colunas e primeiras linhas',
  'Drop a CSV file anywhere on this page, or choose one. Its columns are shown before anything is sent.':
    'Solte um arquivo CSV em qualquer lugar desta página ou escolha um. As colunas são mostradas antes de qualquer envio.',
  '{name} has more than 100 MB. Import it with “agent-runtime import”.':
    '{name} tem mais de 100 MB. Importe-o com “agent-runtime import”.',
  'Import {count} rows': { one: 'Importar {count} linha', other: 'Importar {count} linhas' },
  'Cancel the import?': 'Cancelar a importação?',
  'Not all rows are sent yet. If you leave, the others are not sent.':
    'Nem todas as linhas foram enviadas. Se você sair, as outras não serão enviadas.',
  'Cancel the import': 'Cancelar a importação',
  'Log in in a new tab, then import the file again here: no row is stored twice.':
    'Entre em uma nova aba e depois importe o arquivo de novo aqui: nenhuma linha é gravada duas vezes.',
  'Rows that were sent': 'Linhas enviadas',
  '{done} of {count} rows': { one: '{done} de {count} linha', other: '{done} de {count} linhas' },
  'Rows that were not imported': 'Linhas não importadas',
  'and {count} more rows': { one: 'e mais {count} linha', other: 'e mais {count} linhas' },
  'Next step': 'Próxima etapa',
  '{count} events imported': { one: '{count} evento importado', other: '{count} eventos importados' },
  '{count} rows had been imported before': {
    one: '{count} linha já tinha sido importada',
    other: '{count} linhas já tinham sido importadas',
  },
  '{count} rows could not be imported': {
    one: '{count} linha não pôde ser importada',
    other: '{count} linhas não puderam ser importadas',
  },
  'Cancelled: {read} of {count} rows were sent. Import the file again to go on; no row is stored twice.': {
    one: 'Cancelado: {read} de {count} linha foi enviada. Importe o arquivo de novo para continuar; nenhuma linha é gravada duas vezes.',
    other:
      'Cancelado: {read} de {count} linhas foram enviadas. Importe o arquivo de novo para continuar; nenhuma linha é gravada duas vezes.',
  },
  'Event id': 'Id do evento',
  'Property: text': 'Propriedade: texto',
  'Property: number': 'Propriedade: número',
  'Property: number, 1,234.5': 'Propriedade: número, 1,234.5',
  'Property: number, 1.234,5': 'Propriedade: número, 1.234,5',
  'Property: true or false': 'Propriedade: verdadeiro ou falso',
  'Leave out': 'Deixar de fora',
  'More than one column is named {name}. Give each a name of its own.':
    'Mais de uma coluna se chama {name}. Dê a cada uma um nome próprio.',
  'The file has no rows below the names of its columns.': 'O arquivo não tem linhas abaixo dos nomes das colunas.',
  'Only one column can be the {field}.': 'Só uma coluna pode ser: {field}.',
  'Give the events a name.': 'Dê um nome aos eventos.',
  '{column}: {value} is not a time': '{column}: {value} não é uma hora',
  '{column}: {value} is not true or false': '{column}: {value} não é verdadeiro nem falso',
  '{column}: {value} is not a number': '{column}: {value} não é um número',
  'has {columns}, and the header {others}': 'tem {columns}, e o cabeçalho tem {others}',
  '{count} columns': { one: '{count} coluna', other: '{count} colunas' },
  'has a quote, and the lines before it have one that is not closed':
    'tem aspas, e as linhas anteriores têm aspas que não foram fechadas',
  'has text after a closing quote; quotes within a value are doubled ("")':
    'tem texto depois do fechamento das aspas; aspas dentro de um valor são duplicadas ("")',
  'The quote opened in line {line} is not closed within 1 MB. Close it, or double it ("") if it belongs to the value.':
    'As aspas abertas na linha {line} não são fechadas em até 1 MB. Feche-as ou duplique-as ("") se fizerem parte do valor.',
  'is no event': 'não é um evento',
  'Western (Windows-1252)': 'Ocidental (Windows-1252)',
  'Central European (Windows-1250)': 'Europa Central (Windows-1250)',
  'Cyrillic (Windows-1251)': 'Cirílico (Windows-1251)',
  '31.3.2026, the day first': '31.3.2026, o dia primeiro',
  '3/31/2026, the month first': '3/31/2026, o mês primeiro',
  '1774965900, seconds since 1970': '1774965900, segundos desde 1970',
  '1774965900000, milliseconds since 1970': '1774965900000, milissegundos desde 1970',
};
