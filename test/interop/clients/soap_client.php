<?php
// Calls all operations through the WSDLs with PHP's SoapClient; prints one JSON object. Arguments: SOAP version, PDF.
[, $version, $path] = $argv;
$keys = ['apiKey' => getenv('API_KEY'), 'apiSig' => getenv('API_SIG')];
$options = [
    'soap_version' => $version === '1.2' ? SOAP_1_2 : SOAP_1_1,
    'cache_wsdl' => WSDL_CACHE_NONE,
    'features' => SOAP_SINGLE_ELEMENT_ARRAYS,
];
$clients = [
    'main' => new SoapClient(getenv('MAIN_ADDRESS') . '?wsdl', $options),
    'easy' => new SoapClient(getenv('EASY_SIGN_ADDRESS') . '?wsdl', $options),
];
$call = fn (string $client, string $operation, array $values = []) =>
    $clients[$client]->__soapCall($operation, [$values])->{$operation . 'Result'} ?? null;
$document = file_get_contents($path);
$texts = ['DocumentName' => 'Mietvertrag & Anlage <ü>.pdf', 'Description' => "two\nlines", 'ClientID' => 'C-7'];
$out = [
    'version' => $call('main', 'GetVersion'),
    'schedule' => $call('main', 'GetSchedule'),
    'token' => $call('main', 'GetAuthToken', $keys),
    'id' => $call('main', 'AddNewDocument', $keys + ['Document' => $document, 'creditType' => 1] + $texts),
];
$one = $keys + ['ServiceDocumentID' => $out['id']];
$out['status'] = $call('main', 'GetDocumentStatus', $one);
$sealed = $call('main', 'GetDocument', $one);
$out['document'] = base64_encode($sealed);
$out['details'] = $call('main', 'GetDocumentDetails', $one);
$out['validated'] = $call('main', 'ValidateDocument', $keys + ['ServiceDocument' => $sealed]);
$out['requestId'] = $call('main', 'AddNewDocumentESign', $keys + ['Document' => $document, 'creditType' => 2] + $texts + [
    'Emails' => 'ada@example.com;bo@example.com', 'ReqOwnerESign' => true, 'OwnerESignFirst' => false, 'SecretWord' => 'heron',
]);
$listed = $call('main', 'GetESignList', $keys + ['ListType' => 1, 'MaxItems' => 2]);
$out['list'] = array_map(fn ($entry) => [
    'id' => $entry->ServiceDocumentID, 'email' => $entry->Email, 'secret' => $entry->SecretWord,
    'year' => (int) substr($entry->CreatedDate, 0, 4),
], array_values(array_filter($listed->ESignList)));
$out['nilEntries'] = count($listed->ESignList) - count($out['list']);
$out['emptyList'] = count($call('main', 'GetESignList', $keys + ['ListType' => 2, 'MaxItems' => 2])->ESignList ?? []);
$out['note'] = $call('main', 'AddQuickNote', $keys + ['QuickNoteMessage' => 'hello', 'description' => 'from PHP']);
$signing = [
    'Emails' => 'ada@example.com', 'Names' => 'Ada', 'ReqOwnerESign' => false, 'XMLData' => '<a>1</a>', 'UniqueID' => 'U',
    'AllowSignerElementAdd' => true, 'AdditionalImage' => "\x89PNG", 'EnforceSigClick' => true, 'MessageToSigners' => 'm',
    'CustomSubject' => 's', 'IDVerify' => false, 'CCEmails' => 'cc@example.com',
];
$out['easyId'] = $call('easy', 'AddNewEasySignDocument',
    $keys + ['Document' => $document] + $texts + $signing + ['ElementsFromTemplateID' => 'TPL-1001']);
$out['easyUrl'] = $call('easy', 'AddNewEasySignTemplate', $keys + ['TemplateID' => 'TPL-1002'] + $texts + $signing);
$out['refused'] = $call('main', 'GetDocumentStatus', ['apiKey' => 'wrong', 'apiSig' => 'wrong'] + $one);
try {
    // A number that is none is refused by this client itself, so the fault comes from a body of one's own. No credentials: a value is read before anybody looks at them.
    $body = '<ns:GetESignList xmlns:ns="' . getenv('NAMESPACE_URI') . '"><ns:ListType>one</ns:ListType></ns:GetESignList>';
    $clients['main']->__soapCall('GetESignList', [new SoapVar($body, XSD_ANYXML)]);
} catch (SoapFault $fault) {
    $out['fault'] = $fault->getMessage();
}
echo json_encode($out, JSON_THROW_ON_ERROR);
