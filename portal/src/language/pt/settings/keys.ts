/** API keys. */
export const keys = {
  'As this server has it by default': 'Conforme o padrão deste servidor',
  'New API key': 'Nova chave de API',
  'Make the key': 'Criar a chave',
  'Where it is used: a program, a computer. It is shown as author of what the key does.':
    'Onde ela é usada: um programa, um computador. É mostrado como autor do que a chave faz.',
  'It may': 'Ela pode',
  'What the key writes and asks belongs to this agent. Empty: each request names one, or asks for all.':
    'O que a chave grava e consulta pertence a este agente. Vazio: cada requisição indica um ou consulta todos.',
  'What it is for': 'Para que serve',
  'Not at all: it is void at once': 'Não funciona mais: perde a validade imediatamente',
  '1 hour': '1 hora',
  '1 day': '1 dia',
  'Rotate {label}?': 'Trocar {label}?',
  'The key gets a new secret, which is shown once. Its scopes, expiry and quotas stay.':
    'A chave recebe um novo segredo, mostrado uma vez. Os escopos, a expiração e as cotas continuam.',
  Rotate: 'Trocar',
  'The old secret works beside the new one for': 'O segredo antigo funciona junto com o novo por',
  'The time in which programs change over. A revocation ends both.':
    'O tempo para os programas passarem ao novo. Uma revogação encerra os dois.',
  'The secret before the last rotation, which still works, is void at once.':
    'O segredo de antes da última troca, que ainda funciona, perde a validade imediatamente.',
  'Revoke {label}?': 'Revogar {label}?',
  'Whatever uses this key is refused from now on, for good. What it recorded stays.':
    'Tudo o que usa esta chave é recusado a partir de agora, de vez. O que ela registrou permanece.',
  'The key was revoked': 'A chave foi revogada',
  'It has not been used yet': 'Ela ainda não foi usada',
  'This ends:': 'Isto termina:',
  'Every key that {name} made: whatever uses them is refused from now on, for good.':
    'Todas as chaves criadas por {name}: tudo o que as usa é recusado a partir de agora, de vez.',
  '{count} working keys that {name} made: whatever uses them is refused from now on, for good.': {
    one: '{count} chave válida criada por {name}: tudo o que a usa é recusado a partir de agora, de vez.',
    other: '{count} chaves válidas criadas por {name}: tudo o que as usa é recusado a partir de agora, de vez.',
  },
  'Revoke all keys of {name}?': 'Revogar todas as chaves de {name}?',
  'Keys of others stay.': 'As chaves de outras pessoas continuam.',
  'Revoke all': 'Revogar todas',
  'The keys of {name} were revoked': 'As chaves de {name} foram revogadas',
  'It has expired: make a new key.': 'Ela expirou: crie uma nova chave.',
  'Rotate …': 'Trocar …',
  'Rotate {label}': 'Trocar {label}',
  'Revoke {label}': 'Revogar {label}',
  'agent {name}': 'agente {name}',
  'made by {maker} on {time}': 'criada por {maker} em {time}',
  'The secret before the rotation works until {time}.': 'O segredo de antes da troca funciona até {time}.',
  'the operator': 'um operador',
  '{maker}, who left,': '{maker}, que saiu,',
  'a user who is gone': 'um usuário que não existe mais',
  'The new secret of {label}': 'O novo segredo de {label}',
  'The key {label} is made': 'A chave {label} foi criada',
  'Copy it now: it is not shown again. Whoever loses it rotates the key.':
    'Copie agora: ela não é mostrada de novo. Quem a perder deve trocar a chave.',
  'The old secret is void': 'O segredo antigo não vale mais',
  'It never expires': 'Ela nunca expira',
  Setups: 'Configurações de uso',
  'New key': 'Nova chave',
  'Programs and MCP clients show a key to be let in. Each key may do what it was made for, whoever uses it.':
    'Programas e clientes MCP apresentam uma chave para entrar. Cada chave pode fazer aquilo para que foi criada, seja quem for que a use.',
  'Programs and MCP clients show a key to be let in. These are the keys that you made; administrators see those of everybody.':
    'Programas e clientes MCP apresentam uma chave para entrar. Estas são as chaves que você criou; administradores veem as de todos.',
  'API keys, the newest first': 'Chaves de API, as mais recentes primeiro',
  'Pages of API keys': 'Páginas de chaves de API',
  'You see your own keys. Administrators see those of people who left.':
    'Você vê suas próprias chaves. Administradores veem as de quem saiu.',
  'Search keys by label or id': 'Buscar chaves por rótulo ou id',
  'Keys of people who left': 'Chaves de quem saiu',
  'People who left': 'Pessoas que saíram',
  'The maker of these keys': 'Quem criou estas chaves',
  'Show the keys of everybody': 'Mostrar as chaves de todos',
  'Revoke all keys of {name}': 'Revogar todas as chaves de {name}',
  'Revoke all …': 'Revogar todas …',
  'User {id}': 'Usuário {id}',
  'cannot log in any more; keys go on until they are revoked':
    'não pode mais entrar; as chaves continuam até serem revogadas',
  'Show all keys': 'Mostrar todas as chaves',
  'When somebody is deactivated, their keys go on until they are revoked, and appear here.':
    'Quando alguém é desativado, as chaves continuam até serem revogadas e aparecem aqui.',
  'Nobody who left has a working key': 'Ninguém que saiu tem uma chave válida',
  'No key matches': 'Nenhuma chave corresponde',
  'No working key': 'Nenhuma chave válida',
  'Make a key for an MCP client, for a program that sends events, or for your server. {link}, also former ones.':
    'Crie uma chave para um cliente MCP, para um programa que envia eventos ou para o seu servidor. {link}, também as antigas.',
  'your role does not have it': 'seu papel não o tem',
  'Nothing: it asks for nothing that this server knows.': 'Nada: não pede nada que este servidor conheça.',
  'Everything, also what is added later': 'Tudo, também o que for adicionado depois',
  'MCP, read': 'MCP, leitura',
  'For Claude Code, Cursor and other MCP clients: they ask for numbers, cards and documents, and change nothing.':
    'Para o Claude Code, o Cursor e outros clientes MCP: consultam números, cartões e documentos e não alteram nada.',
  'Send events': 'Enviar eventos',
  'For a website, an app or a script: it records events, and reads nothing.':
    'Para um site, um aplicativo ou um script: registra eventos e não lê nada.',
  Server: 'Servidor',
  'For a backend with agents: it records events, runs and reviews, chats, searches documents and calls connectors.':
    'Para um backend com agentes: registra eventos, execuções e revisões, conversa, busca documentos e chama conectores.',
  'Own choice': 'Escolha própria',
  'You choose what it may do.': 'Você escolhe o que ela pode fazer.',
  'Your role does not have: {scopes}': 'Seu papel não tem: {scopes}',
  Working: 'Válida',
  'Expires within 30 days': 'Expira em até 30 dias',
  Expired: 'Expirada',
  Revoked: 'Revogada',
  'All|keys': 'Todas',
  'Run this in a terminal: it records one event.': 'Execute isto em um terminal: registra um evento.',
  'The answer 202 means that the event is on disk.': 'A resposta 202 significa que o evento está em disco.',
  'Run this in a terminal: it shows the quotas of the key.': 'Execute isto em um terminal: mostra as cotas da chave.',
  'Keep the key in the environment of the program, not in its code.':
    'Guarde a chave no ambiente do programa, não no código.',
  'Expires {when}': 'Expira {when}',
};
