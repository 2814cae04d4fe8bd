"""Calls all operations through the WSDLs with zeep; prints one JSON object. Arguments: SOAP version, PDF."""
import base64
import json
import os
import sys

import zeep

version, path = sys.argv[1:3]
keys = dict(apiKey=os.environ["API_KEY"], apiSig=os.environ["API_SIG"])
with open(path, "rb") as file:
    document = file.read()


def bound(address, name):
    port = name + "Soap" + ("12" if version == "1.2" else "")
    return zeep.Client(address + "?wsdl").bind(name, port)


main = bound(os.environ["MAIN_ADDRESS"], "PracticeService")
easy = bound(os.environ["EASY_SIGN_ADDRESS"], "PracticeEasySign")
texts = dict(DocumentName="Mietvertrag & Anlage <ü>.pdf", Description="two\nlines", ClientID="C-7")
out = dict(version=main.GetVersion(), schedule=main.GetSchedule(), token=main.GetAuthToken(**keys))
out["id"] = main.AddNewDocument(**keys, Document=document, creditType=1, **texts)
out["status"] = main.GetDocumentStatus(**keys, ServiceDocumentID=out["id"])
sealed = main.GetDocument(**keys, ServiceDocumentID=out["id"])
out["document"] = base64.b64encode(sealed).decode()
out["details"] = zeep.helpers.serialize_object(main.GetDocumentDetails(**keys, ServiceDocumentID=out["id"]), dict)
out["validated"] = main.ValidateDocument(**keys, ServiceDocument=sealed)
out["requestId"] = main.AddNewDocumentESign(
    **keys, Document=document, creditType=2, **texts, Emails="ada@example.com;bo@example.com",
    ReqOwnerESign=True, OwnerESignFirst=False, SecretWord="heron")
listed = main.GetESignList(**keys, ListType=1, MaxItems=2)
# A nil entry is an object without values to zeep.
shown = [e for e in listed if e and e.ServiceDocumentID]
out["list"] = [dict(id=e.ServiceDocumentID, email=e.Email, secret=e.SecretWord, year=e.CreatedDate.year) for e in shown]
out["nilEntries"] = len(listed) - len(shown)
out["emptyList"] = len(main.GetESignList(**keys, ListType=2, MaxItems=2) or [])
out["note"] = main.AddQuickNote(**keys, QuickNoteMessage="hello", description="from zeep")
signing = dict(Emails="ada@example.com", Names="Ada", ReqOwnerESign=False, XMLData="<a>1</a>", UniqueID="U",
               AllowSignerElementAdd=True, AdditionalImage=b"\x89PNG", EnforceSigClick=True, MessageToSigners="m",
               CustomSubject="s", IDVerify=False, CCEmails="cc@example.com")
out["easyId"] = easy.AddNewEasySignDocument(**keys, Document=document, **texts, **signing, ElementsFromTemplateID="TPL-1001")
out["easyUrl"] = easy.AddNewEasySignTemplate(**keys, TemplateID="TPL-1002", **texts, **signing)
out["refused"] = main.GetDocumentStatus(apiKey="wrong", apiSig="wrong", ServiceDocumentID=out["id"])
try:
    main.GetESignList(**keys, ListType="one", MaxItems=1)
except zeep.exceptions.Fault as fault:
    out["fault"] = fault.message
print(json.dumps(out))
