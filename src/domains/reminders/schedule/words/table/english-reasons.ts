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
  mark('purpose', 'for preventing|for the relief of|for relief of|for control of|for your|for the'),
  mark('purpose', 'for a|for history of|for chronic|for acute|for mild|for mild to moderate'),
  mark('purpose', 'for moderate to severe|for severe|due to|because of|against|indications'),
  mark('purpose', 'indication|indicated for|dx|for diagnosis of'),
  mark('symptom', 'pain|moderate pain|severe pain|mild pain|chest pain|chest pains|back pain'),
  mark('symptom', 'joint pain|period pain|breakthrough pain|fever|headache|headaches|migraine'),
  mark('symptom', 'migraines|nausea|vomiting|insomnia|anxiety|panic|panic attack|panic attacks'),
  mark('symptom', 'agitation|restlessness|itching|itch|itchiness|cough|coughing|wheezing|wheeze'),
  mark('symptom', 'wheezy|shortness of breath|sob|breathlessness|breathless|short of breath'),
  mark('symptom', 'difficulty breathing|dyspnea|dyspnoea|chest tightness|constipation|constipated'),
  mark('symptom', 'diarrhea|diarrhoea|heartburn|indigestion|reflux|acid reflux|gas|bloating|spasm'),
  mark('symptom', 'spasms|muscle spasm|muscle spasms|cramps|cramping|abdominal cramps'),
  mark('symptom', 'abdominal pain|stomach cramps|dizziness|dizzy|vertigo|motion sickness'),
  mark('symptom', 'travel sickness|sickness|sick|seizure|allergies|allergic reaction'),
  mark('symptom', 'allergy symptoms|hay fever|hayfever|rash|hives|swelling|sore throat|congestion'),
  mark('symptom', 'nasal congestion|runny nose|stuffy nose|angina|angina attack|asthma attack'),
  mark('symptom', 'anxious|agitated|in pain|itchy|nauseous|nauseated|feverish|dry eyes|dry mouth'),
  mark('symptom', 'secretions|respiratory secretions|sleeplessness|unable to sleep'),
  mark('symptom', 'trouble sleeping|discomfort|cold sores|cannot sleep|struggling to sleep'),
  mark('symptom', 'not sleeping|flare up|flare|hiccups|bladder spasms|toothache|neck pain'),
  mark('symptom', 'knee pain|leg cramps|muscle pain|nerve pain|temp|high temperature'),
  mark('symptom', 'raised temperature|temperature|anaphylaxis|severe allergic reaction'),
  mark('symptom', "hypoglycemia|hypoglycaemia|can't sleep"),
  mark('incase', 'if|when|whenever|if you have|if you feel|if you are|if feeling|when you have'),
  mark('incase', 'when you feel|if having|when having|if there is|if you|when you|if she|if he'),
  mark('incase', 'if i|when i|if patient|if experiencing|when experiencing|in case of'),
  mark('incase', 'in the event of|if in|when in|if needed for|if required for|during an attack of'),
  mark('incase', 'at onset of|at the onset of|at the first sign of|on onset of'),
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
  note('indication', 'glucose|blood glucose|bg|systolic|systolic bp|pulse|pain score|stroke'),
  note('indication', 'strokes|heart attack|heart attacks|heart disease|clots|clot|clotting'),
  note('indication', 'blood clot|angina|blood|the blood|cholesterol|triglycerides|iron|potassium'),
  note('indication', 'vitamin d|vitamin b12|b12|folate|calcium|low potassium|low iron|low thyroid'),
  note('indication', 'underactive thyroid|overactive thyroid|bone|bones|bone loss|fractures'),
  note('indication', 'gout attacks|kidneys|kidney|liver|lungs|prostate|enlarged prostate'),
  note('indication', 'urine flow|water retention|ankle swelling|nerves|nerve|seizures|fits'),
  note('indication', 'epilepsy|bipolar|bipolar disorder|schizophrenia|psychosis|voices|dementia'),
  note('indication', 'alzheimers|parkinsons disease|menopause|hrt|hormones|pregnancy|fertility'),
  note('indication', 'endometriosis|heavy periods|periods|period|acne|rosacea|dandruff|fungal'),
  note('indication', 'fungal infection|ringworm|athletes foot|candida|worms|scabies|lice'),
  note('indication', 'head lice|malaria|hiv|hepatitis b|hepatitis c|tuberculosis|chest infection'),
  note('indication', 'ear infection|eye infection|skin infection|urinary tract infection'),
  note('indication', 'urine infection|throat infection|dental infection|tooth abscess|cellulitis'),
  note('indication', 'h pylori|stomach protection|stomach ulcer|ulcers|gastritis|crohns|colitis'),
  note('indication', 'ulcerative colitis|ibs|piles|haemorrhoids|hemorrhoids|rheumatoid arthritis'),
  note('indication', 'osteoarthritis|ra|lupus|multiple sclerosis|transplant|rejection'),
  note('indication', 'organ rejection|cancer|breast cancer|prostate cancer|leukaemia|leukemia'),
  note('indication', 'appetite|weight|weight gain|energy|immune system|opioid dependence'),
  note('indication', 'addiction|smoking|alcohol dependence|cravings|copd exacerbation'),
  note('indication', 'exacerbation|pvd|pad|chf|ckd|cad|ihd|af|hld|t2dm|type 1 diabetes|t1dm|dm2'),
  note('indication', 'niddm|esrd|hypokalemia|hypokalaemia|hypertriglyceridemia|hyperlipidaemia'),
  note('indication', 'hypercholesterolaemia|hypercholesterolemia|primary hypertension'),
  note('indication', 'essential hypertension|gord|ibd|oab|incontinence|dry skin|sunburn|hay fever'),
  note('indication', 'ocular hypertension|high eye pressure|intraocular pressure|blepharitis'),
  note('indication', 'conjunctivitis|cataract surgery|post op|surgery|inflammation'),
  note('indication', 'autoimmune disease|mood stabilizer|mood stabiliser|focus|concentration'),
  note('indication', 'attention|wound healing|skin|contraceptive|recurrence|relapse'),
  mark('aspect', 'relief|control|deficiency|prevention|prophylaxis|symptoms|symptom|problems'),
  mark('aspect', 'protection|attacks|attack|management|maintenance|support|treatment|levels|level'),
  mark('aspect', 'episodes|disease|disorder|infection|failure|health|function|reduction|loss'),
  mark('aspect', 'issues|condition|medication|medicine|supplement|supplementation|replacement'),
  mark('aspect', 'therapy'),
  note('indication', REASONS),
];
