// A database of the original platform on a MariaDB server, as small as a test needs it.
import { randomBytes } from 'node:crypto';
import { type Connection, createConnection } from 'mysql2/promise';

/** A row by the names of columns. */
type Row = Readonly<Record<string, string | number | null>>;

const TABLES = `
CREATE TABLE wp_options (option_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, option_name varchar(191) UNIQUE,
  option_value longtext NOT NULL, autoload varchar(20) NOT NULL DEFAULT 'yes');
CREATE TABLE wp_users (ID bigint unsigned AUTO_INCREMENT PRIMARY KEY, user_login varchar(60) NOT NULL DEFAULT '',
  user_pass varchar(255) NOT NULL DEFAULT '', user_nicename varchar(50) NOT NULL DEFAULT '',
  user_email varchar(100) NOT NULL DEFAULT '', user_url varchar(100) NOT NULL DEFAULT '',
  user_registered datetime NOT NULL DEFAULT '0000-00-00 00:00:00', display_name varchar(250) NOT NULL DEFAULT '');
CREATE TABLE wp_usermeta (umeta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, user_id bigint unsigned NOT NULL,
  meta_key varchar(255), meta_value longtext);
CREATE TABLE wp_terms (term_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, name varchar(200) NOT NULL DEFAULT '',
  slug varchar(200) NOT NULL DEFAULT '');
CREATE TABLE wp_term_taxonomy (term_taxonomy_id bigint unsigned AUTO_INCREMENT PRIMARY KEY,
  term_id bigint unsigned NOT NULL, taxonomy varchar(32) NOT NULL, description longtext NOT NULL DEFAULT '',
  parent bigint unsigned NOT NULL DEFAULT 0, count bigint NOT NULL DEFAULT 0);
CREATE TABLE wp_term_relationships (object_id bigint unsigned NOT NULL, term_taxonomy_id bigint unsigned NOT NULL,
  PRIMARY KEY (object_id, term_taxonomy_id));
CREATE TABLE wp_postmeta (meta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, post_id bigint unsigned NOT NULL,
  meta_key varchar(255), meta_value longtext, KEY post_id (post_id));
CREATE TABLE wp_termmeta (meta_id bigint unsigned AUTO_INCREMENT PRIMARY KEY, term_id bigint unsigned NOT NULL,
  meta_key varchar(255), meta_value longtext);
CREATE TABLE wp_posts (ID bigint unsigned AUTO_INCREMENT PRIMARY KEY, post_author bigint unsigned NOT NULL DEFAULT 1,
  post_date datetime NOT NULL DEFAULT '2020-01-01 12:00:00', post_date_gmt datetime NOT NULL DEFAULT '2020-01-01 11:00:00',
  post_content longtext NOT NULL DEFAULT '', post_title text NOT NULL DEFAULT '', post_excerpt text NOT NULL DEFAULT '',
  post_status varchar(20) NOT NULL DEFAULT 'publish', comment_status varchar(20) NOT NULL DEFAULT 'open',
  ping_status varchar(20) NOT NULL DEFAULT 'open', post_password varchar(255) NOT NULL DEFAULT '',
  post_name varchar(200) NOT NULL DEFAULT '', post_modified datetime NOT NULL DEFAULT '2020-01-01 12:00:00',
  post_modified_gmt datetime NOT NULL DEFAULT '2020-01-01 11:00:00', post_parent bigint unsigned NOT NULL DEFAULT 0,
  guid varchar(255) NOT NULL DEFAULT '', menu_order int NOT NULL DEFAULT 0, post_type varchar(20) NOT NULL DEFAULT 'post',
  post_mime_type varchar(100) NOT NULL DEFAULT '')`;

const OPTIONS = {
  home: 'https://clinic.example',
  blogname: 'Clinic',
  blogdescription: 'Care',
  timezone_string: 'Europe/Berlin',
  default_category: '1',
  sticky_posts: 'a:0:{}',
};

/** A database of the original. */
export class Original {
  private constructor(
    private readonly connection: Connection,
    readonly address: string,
    private readonly name: string,
  ) {}

  /** Makes one with the settings of a site, the account 1 and the category 1. Drop it. */
  static async make(server: string): Promise<Original> {
    const name = `care_test_${randomBytes(6).toString('hex')}`;
    const connection = await createConnection({ uri: server, multipleStatements: true });
    // As the original does: dates may be 0000-00-00.
    await connection.query(
      `SET SESSION sql_mode = ''; CREATE DATABASE ${name} CHARACTER SET utf8mb4; USE ${name}; ${TABLES}`,
    );
    const url = new URL(server);
    url.pathname = `/${name}`;
    const original = new Original(connection, url.href, name);
    for (const [option_name, option_value] of Object.entries(OPTIONS))
      await original.add('options', { option_name, option_value });
    await original.account({ ID: 1, user_login: 'root' }, 'administrator');
    await original.term(1, 'category', { name: 'General', slug: 'general' });
    return original;
  }

  async add(table: string, row: Row): Promise<void> {
    await this.connection.query('INSERT INTO ?? SET ?', [`wp_${table}`, row]);
  }

  /** Adds an account with a role. */
  async account({ ID, user_login, ...more }: Row, role: string): Promise<void> {
    const user_nicename = String(user_login);
    await this.add('users', {
      ID: ID as number,
      user_login: user_login as string,
      user_nicename,
      ...more,
    });
    const meta_value = `a:1:{s:${role.length}:"${role}";b:1;}`;
    await this.add('usermeta', { user_id: ID as number, meta_key: 'wp_capabilities', meta_value });
  }

  /** Gives an account one application password, which was made in 2020. */
  async applicationPassword(user_id: number, uuid: string, hash: string): Promise<void> {
    const meta_value =
      `a:1:{i:0;a:4:{s:4:"uuid";s:36:"${uuid}";s:4:"name";s:5:"Phone";` +
      `s:8:"password";s:${hash.length}:"${hash}";s:7:"created";i:1600000000;}}`;
    await this.add('usermeta', { user_id, meta_key: '_application_passwords', meta_value });
  }

  /** Adds a term; the number of its vocabulary's row is that of the term plus a hundred. */
  async term(term_id: number, taxonomy: string, { name, slug, ...more }: Row): Promise<void> {
    await this.add('terms', { term_id, name: name as string, slug: slug as string });
    await this.add('term_taxonomy', {
      term_taxonomy_id: term_id + 100,
      term_id,
      taxonomy,
      ...more,
    });
  }

  /** Adds a post or whatever else has its table, with meta, and files it under terms. */
  async post(
    row: Row & { readonly ID: number },
    meta: Row = {},
    terms: readonly number[] = [],
  ): Promise<void> {
    await this.add('posts', row);
    for (const [meta_key, meta_value] of Object.entries(meta))
      await this.add('postmeta', { post_id: row.ID, meta_key, meta_value });
    for (const term of terms)
      await this.add('term_relationships', { object_id: row.ID, term_taxonomy_id: term + 100 });
  }

  async change(statement: string, values: readonly (string | number)[] = []): Promise<void> {
    await this.connection.query(statement, [...values]);
  }

  /** Ends the connections of others to it, as a server does that goes away. */
  async killOthers(): Promise<void> {
    const [rows] = await this.connection.query(
      'SELECT ID AS id FROM information_schema.processlist WHERE db = ? AND ID <> CONNECTION_ID()',
      [this.name],
    );
    for (const { id } of rows as { id: number }[]) await this.connection.query(`KILL ${id}`);
  }

  async drop(): Promise<void> {
    await this.connection.query(`DROP DATABASE ${this.name}`);
    await this.connection.end();
  }
}
