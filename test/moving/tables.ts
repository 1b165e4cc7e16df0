import type { Original } from './original.js';

const TABLES = {
  medicine_reminder:
    'user_id bigint, name text, description text, medicine_type varchar(64), frequency_type text, start_date varchar(40), end_date varchar(40), created_date varchar(40)',
  appointment_reminder:
    'user_id bigint, title text, description text, date_time varchar(40), remind_before varchar(40)',
  push_token: 'user_id bigint, token varchar(255), platform varchar(20), created datetime',
  poll: 'question text, statement text, closes_at varchar(40)',
  poll_option: 'poll_id bigint, text text',
  poll_answer: 'poll_id bigint, option_id bigint, user_id bigint, created varchar(40)',
  policy_agreement: 'user_id bigint, policy_version varchar(20), agreed_at varchar(40)',
  ncsm: 'name text, email text, phone text, platform text, score text, form text, created varchar(40)',
};

/** Makes the tables that docs/import-mapping.yaml is about. */
export async function makeTables(original: Original): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES))
    await original.change(
      `CREATE TABLE wp_care_${name} (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, ${columns})`,
    );
}
