import type { Table } from '../term.js';
import { mark, note, ways } from './entries.js';

const REASONS =
  'n/v|pain|breakthrough pain|moderate pain|severe pain|mild pain|back pain|chest pain|joint pain|nerve pain|fever|' +
  'headache|headaches|migraine|migraines|nausea|vomiting|anaphylaxis|sleep|insomnia|anxiety|depression|' +
  'mood|blood pressure|high blood pressure|hypertension|bp|htn|heart|heart failure|heart rate|' +
  'cholesterol|high cholesterol|hyperlipidemia|diabetes|blood sugar|sugar|type 2 diabetes|dm|' +
  'thyroid|hypothyroidism|asthma|copd|shortness of breath|wheezing|wheeze|sob|breathing|cough|' +
  'cold|congestion|allergies|allergy|itching|itch|itchiness|rash|hives|eczema|psoriasis|acne|' +
  'infection|uti|heartburn|acid reflux|reflux|gerd|indigestion|stomach|stomach acid|ulcer|' +
  'constipation|diarrhea|diarrhoea|gas|bloating|spasm|spasms|muscle spasm|muscle spasms|cramps|' +
  'swelling|edema|fluid|fluid retention|inflammation|arthritis|gout|osteoporosis|bones|anemia|' +
  'iron deficiency|vitamin deficiency|seizures|seizure|epilepsy|tremor|parkinsons|adhd|' +
  'blood clots|blood thinner|stroke prevention|afib|atrial fibrillation|angina|glaucoma|dry eyes|' +
  'dry eye|eye pressure|hot flashes|prostate|bph|urinary symptoms|overactive bladder|bladder|' +
  'birth control|contraception|agitation|restlessness|dizziness|vertigo|motion sickness|memory|' +
  'smoking cessation|weight loss|neuropathy|restless legs|pneumonia|sinusitis|sore throat|' +
  'bronchitis|thrush|yeast infection|cold sores|shingles|hair loss|dry skin|supplement|health';

/** The English words of why: what is treated, what is felt, and how both are said. */
export const ENGLISH_REASONS: Table = [
  mark('purpose', 'to prevent|to help prevent|to lower|to help lower|to reduce|to help reduce'),
  mark('purpose', 'to treat|to help treat|to help|to help with|to protect|to help protect'),
  mark('purpose', 'to control|to help control|to relieve|to help relieve|to thin|to manage'),
  mark('purpose', 'to improve|to prevent further|to aid|to regulate|to stop|to clear|to keep'),
  mark('purpose', 'to maintain|to ease|to boost|to strengthen|to replace|for the treatment of'),
  mark('purpose', 'for treatment of|for treating|for prevention of|for the prevention of'),
  mark('purpose', 'for preventing|for the relief of|for relief of|for control of|for your'),
  mark('purpose', 'for the|for a|for history of|for chronic|for acute|for mild'),
  mark('purpose', 'for mild to moderate|for moderate to severe|for severe|due to|because of'),
  mark('purpose', 'against|indications|indication|indicated for|dx|for diagnosis of'),
  mark('symptom', 'pain|moderate pain|severe pain|mild pain|chest pain|chest pains|back pain'),
  mark('symptom', 'joint pain|period pain|breakthrough pain|fever|headache|headaches|migraine'),
  mark('symptom', 'migraines|nausea|vomiting|insomnia|anxiety|panic|panic attack'),
  mark('symptom', 'panic attacks|agitation|restlessness|itching|itch|itchiness|cough|coughing'),
  mark('symptom', 'wheezing|wheeze|wheezy|shortness of breath|sob|breathlessness|breathless'),
  mark('symptom', 'short of breath|difficulty breathing|dyspnea|dyspnoea|chest tightness'),
  mark('symptom', 'constipation|constipated|diarrhea|diarrhoea|heartburn|indigestion|reflux'),
  mark('symptom', 'acid reflux|gas|bloating|spasm|spasms|muscle spasm|muscle spasms|cramps'),
  mark('symptom', 'cramping|abdominal cramps|abdominal pain|stomach cramps|dizziness|dizzy'),
  mark('symptom', 'vertigo|motion sickness|travel sickness|sickness|sick|seizure|allergies'),
  mark('symptom', 'allergic reaction|allergy symptoms|hay fever|hayfever|rash|hives|swelling'),
  mark('symptom', 'sore throat|congestion|nasal congestion|runny nose|stuffy nose|angina'),
  mark('symptom', 'angina attack|asthma attack|anxious|agitated|in pain|itchy|nauseous'),
  mark('symptom', 'nauseated|feverish|dry eyes|dry mouth|secretions|respiratory secretions'),
  mark('symptom', 'sleeplessness|unable to sleep|trouble sleeping|discomfort|cold sores'),
  mark('symptom', 'flare up|flare|hiccups|bladder spasms|toothache|neck pain|knee pain'),
  mark('symptom', 'leg cramps|muscle pain|nerve pain|temp|high temperature|raised temperature'),
  mark('symptom', 'temperature|anaphylaxis|severe allergic reaction|hypoglycemia|hypoglycaemia'),
  mark('incase', 'if|when|whenever|if you have|if you feel|if you are|if feeling'),
  mark('incase', 'when you have|when you feel|if having|when having|if there is'),
  mark('incase', 'if experiencing|when experiencing|in case of|in the event of|if in|when in'),
  mark(
    'incase',
    ways(
      'if|when|whenever',
      'he|she|you|patient|pt|i|they',
      'is|are|has|have|feels|feel|gets|get|is in|has a|gets a|get a|have a',
    ),
  ),
  mark('beyond', ways('|is|goes|rises', 'above|over|more than|greater than|higher than')),
  mark('beyond', ways('|is|falls|drops', 'below|under|less than|lower than')),
  mark('degree', 'degrees|degree|degrees c|degrees f|degrees celsius'),
  note('indication', 'glucose|blood glucose|bg|systolic|systolic bp|pulse|pain score'),
  mark('incase', 'if needed for|if required for|during an attack of|at onset of'),
  mark('incase', 'at the onset of|at the first sign of|on onset of'),
  mark('aspect', 'relief|control|deficiency|prevention|prophylaxis|symptoms|symptom|problems'),
  mark('aspect', 'protection|attacks|attack|management|maintenance|support|treatment|levels'),
  mark('aspect', 'level|episodes|disease|disorder|infection|failure|health|function|reduction'),
  mark('aspect', 'loss|issues|condition|medication|medicine|supplement|supplementation'),
  mark('aspect', 'replacement|therapy'),
  note('indication', 'stroke|strokes|heart attack|heart attacks|heart disease|clots|clot'),
  note('indication', 'clotting|blood clot|angina|blood|the blood|cholesterol|triglycerides'),
  note('indication', 'iron|potassium|vitamin d|vitamin b12|b12|folate|calcium|low potassium'),
  note('indication', 'low iron|low thyroid|underactive thyroid|overactive thyroid|bone|bones'),
  note('indication', 'bone loss|fractures|gout attacks|kidneys|kidney|liver|lungs|prostate'),
  note('indication', 'enlarged prostate|urine flow|water retention|ankle swelling|nerves'),
  note('indication', 'nerve|seizures|fits|epilepsy|bipolar|bipolar disorder|schizophrenia'),
  note('indication', 'psychosis|voices|dementia|alzheimers|parkinsons disease|menopause|hrt'),
  note('indication', 'hormones|pregnancy|fertility|endometriosis|heavy periods|periods|period'),
  note('indication', 'acne|rosacea|dandruff|fungal|fungal infection|ringworm|athletes foot'),
  note('indication', 'candida|worms|scabies|lice|head lice|malaria|hiv|hepatitis b'),
  note('indication', 'hepatitis c|tuberculosis|chest infection|ear infection|eye infection'),
  note('indication', 'skin infection|urinary tract infection|urine infection|throat infection'),
  note('indication', 'dental infection|tooth abscess|cellulitis|h pylori|stomach protection'),
  note('indication', 'stomach ulcer|ulcers|gastritis|crohns|colitis|ulcerative colitis|ibs'),
  note('indication', 'piles|haemorrhoids|hemorrhoids|rheumatoid arthritis|osteoarthritis|ra'),
  note('indication', 'lupus|multiple sclerosis|transplant|rejection|organ rejection|cancer'),
  note('indication', 'breast cancer|prostate cancer|leukaemia|leukemia|appetite|weight'),
  note('indication', 'weight gain|energy|immune system|opioid dependence|addiction|smoking'),
  note('indication', 'alcohol dependence|cravings|copd exacerbation|exacerbation|pvd|pad|chf'),
  note('indication', 'ckd|cad|ihd|af|hld|t2dm|type 1 diabetes|t1dm|dm2|niddm|esrd|hypokalemia'),
  note('indication', 'hypokalaemia|hypertriglyceridemia|hyperlipidaemia|hypercholesterolaemia'),
  note('indication', 'hypercholesterolemia|primary hypertension|essential hypertension|gord'),
  note('indication', 'ibd|oab|incontinence|dry skin|sunburn|hay fever|ocular hypertension'),
  note('indication', 'high eye pressure|intraocular pressure|blepharitis|conjunctivitis'),
  note('indication', 'cataract surgery|post op|surgery|inflammation|autoimmune disease'),
  note('indication', 'mood stabilizer|mood stabiliser|focus|concentration|attention'),
  note('indication', 'wound healing|skin|contraceptive|recurrence|relapse'),
  note('indication', REASONS),
];
