// Creates through GraphQL what the conformance scenarios need: an account of each role with an
// application password, and some terms. Every run creates new ones, so it can be repeated on the
// same database.
const ROLES = ['ADMINISTRATOR', 'EDITOR', 'AUTHOR', 'CONTRIBUTOR', 'SUBSCRIBER'];
const TERMS = [
  ['cat_parent', 'CATEGORY'],
  ['cat_child', 'CATEGORY', 'cat_parent'],
  ['cat_other', 'CATEGORY'],
  ['tag_a', 'TAG'],
  ['tag_b', 'TAG'],
  ['area_a', 'THERAPEUTIC_AREA'],
  ['area_b', 'THERAPEUTIC_AREA'],
  ['lang_a', 'LANGUAGE'],
];

/** Creates those rows. Returns the object that the scenarios read as world.json. */
export async function makeWorld(baseUrl, administrator) {
  const run = Math.random().toString(36).slice(2, 8);
  const graphql = async (query, variables, token) => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors) throw new Error(errors.map((error) => error.message).join('; '));
    return data;
  };
  const { login } = await graphql(
    'mutation($input: LoginInput!) { login(input: $input) { token } }',
    { input: administrator },
  );
  const users = {};
  for (const role of ROLES) {
    const username = `${role.toLowerCase()}-${run}`;
    const own = { username, password: `${run} is a password of ${username}` };
    const { createUser } = await graphql(
      'mutation($input: CreateUserInput!) { createUser(input: $input) { account { databaseId } } }',
      { input: { ...own, email: `${username}@example.com`, roles: [role] } },
      login.token,
    );
    const signedIn = await graphql(
      'mutation($input: LoginInput!) { login(input: $input) { token } }',
      { input: own },
    );
    const made = await graphql(
      'mutation($input: CreateApplicationPasswordInput!) { createApplicationPassword(input: ' +
        '$input) { password } }',
      { input: { name: 'conformance' } },
      signedIn.login.token,
    );
    users[role.toLowerCase()] = {
      id: createUser.account.databaseId,
      username,
      password: made.createApplicationPassword.password,
    };
  }
  const { site } = await graphql('{ site { defaultCategory { databaseId } } }');
  const values = { cat_default: site.defaultCategory.databaseId };
  for (const [name, taxonomy, parent] of TERMS) {
    const input = { taxonomy, name: `${name} ${run}`, ...(parent && { parentId: values[parent] }) };
    values[name] = (
      await graphql(
        'mutation($input: CreateTermInput!) { createTerm(input: $input) { term { databaseId } } }',
        { input },
        login.token,
      )
    ).createTerm.term.databaseId;
  }
  return { users, values };
}
