/** LLM providers. */
export const providers = {
  'Chats that name it are refused from now on. Its key is deleted with it; what it has answered stays.':
    'Chats que o indicam são recusados a partir de agora. A chave é excluída com ele; o que ele respondeu permanece.',
  'The provider {name} was deleted': 'O provedor {name} foi excluído',
  'The provider {name} was added': 'O provedor {name} foi adicionado',
  'The provider {name} was saved': 'O provedor {name} foi salvo',
  'This has no fields.': 'Isto não tem campos.',
  'All members, as docs/providers.md lists them. A secret that says set stays; null removes the key.':
    'Todos os membros, como docs/providers.md os lista. Um segredo com o valor set permanece; null remove a chave.',
  'All members as JSON': 'Todos os membros em JSON',
  'Back to the fields': 'Voltar aos campos',
  'Chats name it as providerName. It cannot be changed.':
    'Os chats o indicam em providerName. O nome não pode ser alterado.',
  Vendor: 'Fornecedor',
  'Base URL': 'URL base',
  'The address of the server, usually with /v1 at its end.': 'O endereço do servidor, em geral com /v1 no fim.',
  'Empty: the vendor’s own address.': 'Vazio: o endereço do próprio fornecedor.',
  'With another one, send the key again: a stored key goes to no other address.':
    'Com outro endereço, informe a chave de novo: uma chave armazenada não vai a nenhum outro endereço.',
  'Remove the stored key': 'Remover a chave armazenada',
  Region: 'Região',
  'One is stored. Leave it empty to keep it.': 'Há uma armazenada. Deixe vazio para mantê-la.',
  'It is read from the variable {name}. Leave it empty to keep that.':
    'Ela é lida da variável {name}. Deixe vazio para manter assim.',
  'It is stored sealed and not shown again.': 'O valor fica cifrado e não é mostrado de novo.',
  'Your own server may need none.': 'Seu próprio servidor pode não precisar de nenhuma.',
  'Where a chat says nothing': 'Quando o chat não diz nada',
  '0 to 2': '0 a 2',
  'Most tokens of an answer': 'Máximo de tokens da resposta',
  Instructions: 'Instruções',
  Fallbacks: 'Alternativas',
  'When it does not answer, in this order. A line for each: a vendor or one of your providers, and the model.':
    'Quando ele não responde, nesta ordem. Uma linha para cada: um fornecedor ou um dos seus provedores, e o modelo.',
  'Price in US dollars for a million tokens': 'Preço em dólares por milhão de tokens',
  'public price': 'preço público',
  'Seconds to the first words of an answer. Empty: the server’s.':
    'Segundos até as primeiras palavras de uma resposta. Vazio: o do servidor.',
  'It may be in a private network': 'Pode estar em uma rede privada',
  'For a model on this machine or in your own network.': 'Para um modelo nesta máquina ou na sua própria rede.',
  'Only the operator allows this: a super administrator of the only tenant, or the command line.':
    'Só o operador permite isto: um superadministrador do único tenant, ou a linha de comando.',
  'Models of {name}': 'Modelos de {name}',
  'As the public price table knows them. The key may not allow all, and there may be newer ones.':
    'Conforme a tabela pública de preços. A chave pode não permitir todos, e pode haver mais novos.',
  'No model is known at this address. A request names any.':
    'Nenhum modelo é conhecido neste endereço. Uma requisição pode indicar qualquer um.',
  'Models and prices': 'Modelos e preços',
  Context: 'Contexto',
  'Prices in US dollars for a million tokens; context in tokens.':
    'Preços em dólares por milhão de tokens; contexto em tokens.',
  unknown: 'desconhecido',
  'Only administrators see LLM providers.': 'Só administradores veem os provedores de LLM.',
  'Add provider': 'Adicionar provedor',
  'Chats are answered by the vendors for which this server has a key, and by the providers that you add: another key, or a server with OpenAI’s API.':
    'Os chats são respondidos pelos fornecedores para os quais este servidor tem uma chave e pelos provedores que você adicionar: outra chave, ou um servidor com a API da OpenAI.',
  Vendors: 'Fornecedores',
  'Your providers': 'Seus provedores',
  'Search providers': 'Buscar provedores',
  'No provider of your own yet': 'Nenhum provedor próprio ainda',
  'No provider matches': 'Nenhum provedor corresponde',
  'Add one with a key of its own, which is stored sealed, or with the address of a gateway or of your own server.':
    'Adicione um com chave própria, que fica armazenada cifrada, ou com o endereço de um gateway ou do seu próprio servidor.',
  'Chats name it as {member}.': 'Os chats o indicam em {member}.',
  'The search looks into names, vendors and base URLs.': 'A busca olha nomes, fornecedores e URLs base.',
  'Private network': 'Rede privada',
  Models: 'Modelos',
  'Test {name}': 'Testar {name}',
  'Falls back on {models}': 'Alternativas: {models}',
  'No key': 'Sem chave',
  'Key stored': 'Chave armazenada',
  'Key from {variable}': 'Chave de {variable}',
  'OpenAI-compatible server': 'Servidor compatível com a OpenAI',
  "It uses the server's environment or network: only the operator changes it, with `providers apply`.":
    'Ele usa o ambiente ou a rede do servidor: só o operador o altera, com `providers apply`.',
  'This is not JSON yet: {problem}': 'Isto ainda não é JSON: {problem}',
  'A provider is an object with the member provider.': 'Um provedor é um objeto com o membro provider.',
  'Price of input': 'Preço da entrada',
  'Price of output': 'Preço da saída',
  'Other members': 'Outros membros',
  'Test of {name}': 'Teste de {name}',
  'One short question of at most 16 tokens. It is recorded and counts in budgets, like any chat.':
    'Uma pergunta curta, de no máximo 16 tokens. Ela é registrada e conta nos orçamentos, como qualquer chat.',
  'A name that the server knows.': 'Um nome que o servidor conhece.',
  'The cheap one is chosen; any other will do.': 'O mais barato está escolhido; qualquer outro serve.',
  'Asking the model …': 'Consultando o modelo …',
  'Test again': 'Testar de novo',
  Works: 'Funciona',
  'Result of the test': 'Resultado do teste',
  'Unknown: no price is known for this model': 'Desconhecido: não há preço conhecido para este modelo',
  'The environment has no key to test.': 'O ambiente não tem chave para testar.',
  'Add provider of {vendor}': 'Adicionar provedor de {vendor}',
  'The key cannot be used: {problem}.': 'A chave não pode ser usada: {problem}.',
  'Unusable key': 'Chave inutilizável',
  'Key in your providers': 'Chave nos seus provedores',
  'Without a key': 'Sem chave',
  'Your providers: {names}.': 'Seus provedores: {names}.',
  'Ollama, vLLM, a gateway: any server with OpenAI’s Chat Completions. Add it with its base URL.':
    'Ollama, vLLM, um gateway: qualquer servidor com a API Chat Completions da OpenAI. Adicione-o com a URL base.',
  'Every tenant of this server may use it.': 'Todos os tenants deste servidor podem usá-la.',
  'credentials of AWS': 'credenciais da AWS',
  'Add a provider with a key, or have the operator set {variables} for the server.':
    'Adicione um provedor com uma chave ou peça ao operador que defina {variables} no servidor.',
};
